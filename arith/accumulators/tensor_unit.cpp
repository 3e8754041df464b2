#include "arith/accumulators/tensor_unit.hpp"

#include "arith/accumulators/definition.hpp"
#include "arith/formats/round.hpp"

namespace fftprec {

void TensorUnit::matmul_by_definition(const Matmul<float>& call) const {
  const AccumulatorModel adder = psum_adder(model);
  const bool adds = call.accumulate && across_tiles == AcrossTiles::tile_then_add;
  const StochasticRounding random{stochastic_bits, stochastic_seed, call.step};
  for (std::size_t i = 0; i < call.m; ++i)
    for (std::size_t j = 0; j < call.n; ++j) {
      const std::size_t at = i * call.psum_stride + j;
      const OperandColumn a{call.stationary + i * call.stationary_m, call.stationary_k, call.k};
      const OperandColumn b{call.moving + j, call.moving_stride, call.k};
      float sum = dot(model, call.accumulate && !adds ? call.psum[at] : 0.0f, a, b, call.negate);
      const float one = 1;
      if (adds) sum = dot(adder, call.psum[at], {&sum, 1, 1}, {&one, 1, 1}, false);
      const double written = static_cast<double>(sum);
      call.psum[at] =
          static_cast<float>(psum_rounding == Rounding::sr && psum != fp32
                                 ? round_stochastic(written, psum, random, call.element + at)
                                 : round(written, psum, Rounding::rne));
    }
}

}  // namespace fftprec

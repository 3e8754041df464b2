#include "algorithms/arithmetic/cast.hpp"

#include <span>

#include "arith/formats/round.hpp"
#include "arith/kernels/round_array.hpp"

namespace fftprec {

namespace {

template <class Real>
void round_stochastically(View<Real> x, const Format& format, const StochasticRounding& random) {
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = 0; j < x.cols; ++j) {
      std::uint64_t counter = 2 * (i * x.cols + j);
      for (Real* part : {x.re, x.im}) {
        if (!part) continue;
        Real& value = part[i * x.stride + j];
        value = static_cast<Real>(round_stochastic(value, format, random, counter++));
      }
    }
}

}  // namespace

Cast cast_of(const Machine& machine, std::uint64_t stream) {
  return {machine.casts,
          {machine.stochastic_bits, machine.stochastic_seed, stream, machine.stochastic_variant}};
}

double cast_to(double x, const Format& format, const Cast& cast, std::uint64_t counter) {
  return cast.rounding == Rounding::sr ? round_stochastic(x, format, cast.random, counter)
                                       : round(x, format, cast.rounding);
}

template <class Real>
void round_rows(View<Real> x, const Format& format, const Cast& cast, Isa isa) {
  if (cast.rounding == Rounding::sr) return round_stochastically(x, format, cast.random);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (Real* part : {x.re, x.im}) {
      if (!part) continue;
      const std::span<Real> row(part + i * x.stride, x.cols);
      round_array(row, row, format, cast.rounding, isa);
    }
}

template void round_rows(View<float>, const Format&, const Cast&, Isa);
template void round_rows(View<double>, const Format&, const Cast&, Isa);

}  // namespace fftprec

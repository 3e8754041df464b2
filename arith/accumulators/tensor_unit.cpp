#include "arith/accumulators/tensor_unit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "arith/accumulators/definition.hpp"
#include "arith/formats/round.hpp"

namespace fftprec {

namespace {

/// Significant bits of an operand's high part, and of both parts.
struct OperandParts {
  int high;
  int both;

  float of(float x, bool low) const {
    const auto cut = [x](int bits) {
      return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) & (~0u << (24 - bits)));
    };
    return low ? cut(both) - cut(high) : cut(high);
  }
};
constexpr OperandParts data_parts{7, 11};
constexpr OperandParts table_parts{5, 10};

/// A call whose operands are zeros of its own, of `length` k, until they are taken from another.
struct CopiedCall {
  CopiedCall(const Matmul<float>& from, std::size_t length)
      : still(from.m * length), moving(length * from.n), call(from) {
    call.stationary = still.data();
    call.stationary_k = 1;
    call.stationary_m = call.k = length;
    call.moving = moving.data();
    call.moving_stride = call.n;
  }
  CopiedCall(const CopiedCall&) = delete;
  CopiedCall& operator=(const CopiedCall&) = delete;

  /// Elements k stand at `to`, as part(element, whether it is of the data).
  template <class Part>
  void take(const Matmul<float>& from, std::size_t k, std::size_t to, Part part) {
    for (std::size_t i = 0; i < call.m; ++i)
      still[i * call.k + to] =
          part(from.stationary[i * from.stationary_m + k * from.stationary_k], !from.data_moves);
    for (std::size_t j = 0; j < call.n; ++j)
      moving[to * call.n + j] = part(from.moving[k * from.moving_stride + j], from.data_moves);
  }

  std::vector<float> still, moving;
  Matmul<float> call;
};

}  // namespace

double fidelity_error(Fidelity fidelity, int precision) {
  if (fidelity == Fidelity::whole) return 0;
  const auto left = [=](int bits) { return bits < precision ? std::ldexp(1.0, 1 - bits) : 0; };
  const double high = left(data_parts.high);
  const double both = left(data_parts.both) + left(table_parts.both);
  switch (fidelity) {
    case Fidelity::lofi:
      return high + left(table_parts.high);
    case Fidelity::hifi2:
      return high + left(table_parts.both);
    case Fidelity::hifi3:
      return both + high * left(table_parts.high);
    default:
      return both;
  }
}

int phase_digits(std::size_t i, int precision) {
  const auto digits = [=](const OperandParts& parts, bool low) {
    return low && precision <= parts.high ? 0 : std::min(precision, low ? parts.both : parts.high);
  };
  const int data = digits(data_parts, i >= 2);
  const int table = digits(table_parts, i % 2 == 1);
  return data == 0 || table == 0 ? 0 : data + table;
}

void TensorUnit::indirectly(const Matmul<float>& call, TensorLoops run) const {
  TensorUnit unit = *this;
  if (fidelity == Fidelity::whole) {
    std::swap(unit.model.operands, *unit.model.operands_of_b);
    Matmul<float> swapped = call;
    swapped.data_moves = false;
    return run(unit, swapped);
  }
  unit.fidelity = Fidelity::whole;
  const double least = model.flush_inputs ? min_normal(model.operands) : 0;
  unit.model.operands.emin -= data_parts.both;  // low parts are not flushed
  CopiedCall copied(call, call.k);
  for (std::size_t i = 0; i < phases(fidelity); ++i) {
    const auto part = [&](float x, bool of_data) {
      if (std::abs(static_cast<double>(x)) < least) return 0.0f;
      return of_data ? data_parts.of(x, i >= 2) : table_parts.of(x, i % 2 == 1);
    };
    for (std::size_t k = 0; k < call.k; ++k) copied.take(call, k, k, part);
    copied.call.step = call.step ^ (std::uint64_t{i} << 62);
    run(unit, copied.call);
    copied.call.accumulate = true;
  }
}

void TensorUnit::interleaved(const Matmul<float>& call) const {
  TensorUnit unit = *this;
  unit.model.interleave = 0;
  const std::size_t length = (call.k + model.block - 1) / model.block * model.block;
  CopiedCall copied(call, length);
  for (std::size_t k = 0; k < call.k; ++k)
    copied.take(call, k, k - k % model.block + interleaved_place(model, k % model.block),
                [](float x, bool) { return x; });
  unit.matmul(copied.call);
}

void TensorUnit::matmul_by_definition(const Matmul<float>& call) const {
  if (!is_direct(call))
    return indirectly(call, [](const TensorUnit& unit, const Matmul<float>& phase) {
      unit.matmul_by_definition(phase);
    });
  const AccumulatorModel adder = psum_adder(model);
  const bool adds = call.accumulate && across_tiles == AcrossTiles::tile_then_add;
  const StochasticRounding random{stochastic_bits, stochastic_seed, call.step, stochastic_variant};
  for (std::size_t i = 0; i < call.m; ++i)
    for (std::size_t j = 0; j < call.n; ++j) {
      const std::size_t at = i * call.psum_stride + j;
      const OperandColumn a{call.stationary + i * call.stationary_m, call.stationary_k, call.k};
      const OperandColumn b{call.moving + j, call.moving_stride, call.k};
      float sum = dot(model, call.accumulate && !adds ? call.psum[at] : 0.0f, a, b, call.negate);
      const float one = 1;
      if (adds) sum = dot(adder, call.psum[at], {&sum, 1, 1}, {&one, 1, 1}, false);
      const double written = static_cast<double>(sum);
      if (psum == fp32)
        call.psum[at] = sum;
      else if (psum_rounding == Rounding::sr)
        call.psum[at] =
            static_cast<float>(round_stochastic(written, psum, random, call.element + at));
      else
        call.psum[at] =
            static_cast<float>(round(round(written, psum_via, psum_rounding), psum, psum_rounding));
    }
}

}  // namespace fftprec

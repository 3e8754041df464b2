/// A matmul into a PSUM tile under any accumulator model: the fast loop where one gives the bits of
/// the definition, the definition elsewhere.
#pragma once

#include "arith/accumulators/aligned_loops.hpp"
#include "arith/accumulators/ordered_loops.hpp"

namespace fftprec {

/// Chooses among the loops of one instruction set.
template <class Tag>
struct ModelLoops {
  /// psum(i, j) (+)= the model's sum over k of stationary(k, i) * moving(k, j): the old psum, or 0
  /// without accumulate, is c.
  /// Requires: a model that validate() accepts, operands and psum on its grids.
  static void matmul(const AccumulatorModel& model, const Matmul<float>& call) {
    if (aligned(model, call) || ordered(model, call)) return;
    by_definition(model, call);
  }

  static void by_definition(const AccumulatorModel& model, const Matmul<float>& call) {
    for (std::size_t i = 0; i < call.m; ++i)
      for (std::size_t j = 0; j < call.n; ++j) {
        float& psum = call.psum[i * call.psum_stride + j];
        const OperandColumn a{call.stationary + i * call.stationary_m, call.stationary_k, call.k};
        const OperandColumn b{call.moving + j, call.moving_stride, call.k};
        psum = dot(model, call.accumulate ? psum : 0.0f, a, b, call.negate);
      }
  }

 private:
  static bool aligned(const AccumulatorModel& model, const Matmul<float>& call) {
    using enum Rounding;
    return aligned_as<rz, false, Cut::toward_zero>(model, call) ||
           aligned_as<rne, true, Cut::toward_zero>(model, call) ||
           aligned_as<rne, false, Cut::toward_zero>(model, call) ||
           aligned_as<rz, false, Cut::floor>(model, call) ||
           aligned_as<rne, false, Cut::floor>(model, call);
  }

  template <Rounding R, bool late, Cut cut>
  static bool aligned_as(const AccumulatorModel& model, const Matmul<float>& call) {
    using Loops = AlignedLoops<Tag, R, late, cut>;
    if (call.k == 0 || !Loops::covers(model)) return false;
    Loops::matmul(model, call);
    return true;
  }

  static bool ordered(const AccumulatorModel& model, const Matmul<float>& call) {
    if (model.sum == BlockSum::aligned || model.sum == BlockSum::exact || call.k == 0) return false;
    if (!products_are_normal(model, call)) return false;
    using enum Rounding;
    const bool plain = is_fp32(model.format) && !model.flush_outputs && !model.flush_inputs &&
                       (!model.overflow_to_infinity || model.rounding == rne);
    if (plain && model.rounding == rne) return with_product<NearestAdd>(model, {}, call);
    if (plain && model.rounding == rz) return with_product<TowardZeroAdd>(model, {}, call);
    if (model.product == ProductRounding::bf16_rne || model.product == ProductRounding::bf16_rz)
      return false;
    if (is_fp32(model.format)) {
      if (model.rounding == rne) return general<rne>(model, call);
      return model.rounding == rz ? general<rz>(model, call) : general<odd>(model, call);
    }
    if (model.format.precision > 22 || model.flush_inputs || model.flush_outputs ||
        model.overflow_to_infinity)
      return false;
    if (model.rounding == rne) return narrow<rne>(model, call);
    return model.rounding == rz ? narrow<rz>(model, call) : narrow<odd>(model, call);
  }

  static bool is_fp32(const Format& format) {
    return format.precision == fp32.precision && format.emin == fp32.emin &&
           format.emax == fp32.emax && format.subnormals && format.overflow == Overflow::infinity;
  }

  /// Smaller operands count as zero.
  static float flush_limit(const AccumulatorModel& model) {
    return model.flush_inputs ? static_cast<float>(min_normal(model.operands)) : 0.0f;
  }

  template <Rounding R>
  static bool general(const AccumulatorModel& model, const Matmul<float>& call) {
    const GeneralAdd<R> addition{.flush_operands_below = flush_limit(model),
                                 .flush_below = model.flush_outputs ? 0x1p-126f : 0.0f};
    OrderedLoops<Tag, GeneralAdd<R>, ProductRounding::none>::matmul(model, addition, call);
    return true;
  }

  template <Rounding R>
  static bool narrow(const AccumulatorModel& model, const Matmul<float>& call) {
    const NarrowAdd<R> addition{rounding_grid<float>(model.format)};
    OrderedLoops<Tag, NarrowAdd<R>, ProductRounding::none>::matmul(model, addition, call);
    return true;
  }

  template <class Add>
  static bool with_product(const AccumulatorModel& model, const Add& addition,
                           const Matmul<float>& call) {
    using enum ProductRounding;
    if (model.product == bf16_rne)
      OrderedLoops<Tag, Add, bf16_rne>::matmul(model, addition, call);
    else if (model.product == bf16_rz)
      OrderedLoops<Tag, Add, bf16_rz>::matmul(model, addition, call);
    else
      OrderedLoops<Tag, Add, none>::matmul(model, addition, call);
    return true;
  }

  /// The smallest and the largest magnitude of operands that are not zero or flushed, as bits.
  struct Range {
    std::uint32_t flush_limit;
    std::uint32_t least = 0x7f800000u;
    std::uint32_t largest = 0;

    [[gnu::always_inline]] void include(float x) {
      const std::uint32_t magnitude = __builtin_bit_cast(std::uint32_t, x) & 0x7fffffffu;
      const bool counts = magnitude >= flush_limit;
      const std::uint32_t small = counts ? magnitude : 0x7f800000u;
      const std::uint32_t large = counts ? magnitude : 0u;
      least = small < least ? small : least;
      largest = large > largest ? large : largest;
    }
    int low() const { return static_cast<int>(least >> 23) - 127; }
    int high() const { return static_cast<int>(largest >> 23) - 127; }
  };

  static Range range_of(const float* first, std::size_t rows, std::size_t row_stride,
                        std::size_t cols, std::size_t col_stride, std::uint32_t limit) {
    if (col_stride != 1 && row_stride == 1)
      return range_of(first, cols, col_stride, rows, row_stride, limit);
    Range range{.flush_limit = limit};
    for (std::size_t r = 0; r < rows; ++r) {
      const float* row = first + r * row_stride;
      if (col_stride == 1)
        for (std::size_t c = 0; c < cols; ++c) range.include(row[c]);
      else
        for (std::size_t c = 0; c < cols; ++c) range.include(row[c * col_stride]);
    }
    return range;
  }

  /// Whether every product is zero or a normal float, and exact unless the model rounds it.
  static bool products_are_normal(const AccumulatorModel& model, const Matmul<float>& call) {
    if (model.product != ProductRounding::fp32_rne && model.operands.precision > 12) return false;
    const std::uint32_t limit = __builtin_bit_cast(std::uint32_t, flush_limit(model));
    const Range a = range_of(call.stationary, call.k, call.stationary_k, call.m, call.stationary_m,
                             limit > 0 ? limit : 1);
    const Range b = range_of(call.moving, call.k, call.moving_stride, call.n, 1, a.flush_limit);
    return a.low() >= -126 && b.low() >= -126 && a.low() + b.low() >= -126 &&
           a.high() + b.high() + 2 < 128;
  }
};

}  // namespace fftprec

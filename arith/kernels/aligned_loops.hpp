/// The inner loops of the accumulator models that align a block of products to one exponent.
///
/// Each operand is split once per panel into a significand in [0, 2), a float, and an exponent. A
/// term is the product of two significands, exact in a float, times a power of two between 2^-100
/// and 2^F from the exponents; the conversion to an integer cuts it. Sums of integers are exact in
/// 32 bits, and the final rounding is from a double. There are no branches and no shifts by a
/// variable count. The lanes of a block are summed one after the other.
#pragma once

#include <cstdint>
#include <type_traits>

#include "arith/accumulators/definition.hpp"
#include "arith/formats/views.hpp"
#include "arith/kernels/units.hpp"

namespace fftprec {

/// The exponent of a zero, which is never the largest.
inline constexpr std::int32_t zero_exponent = -4000;

struct AlignedParts {
  float significand;
  std::int32_t exponent;
};

/// x = significand * 2^exponent with the exponent of a normal number, but at least emin.
[[gnu::always_inline]] inline constexpr AlignedParts aligned_parts(float x, int emin, bool flush) {
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, x);
  const std::int32_t field = static_cast<std::int32_t>(bits >> 23 & 0xffu);
  const std::int32_t exponent = field - 127;
  const float normal = __builtin_bit_cast(float, (bits & 0x807fffffu) | 0x3f800000u);
  const std::int32_t below = emin - exponent > 0 ? emin - exponent : 0;
  const std::int32_t shift = below < 100 ? below : 100;
  const float scale = __builtin_bit_cast(float, static_cast<std::uint32_t>(127 - shift) << 23);
  const float significand = field == 0 ? x * 0x1p126f : normal * scale;
  const bool subnormal = exponent < emin;
  const bool zero = x == 0 || (flush && subnormal);
  return {zero ? 0.0f : significand, zero ? zero_exponent : subnormal ? emin : exponent};
}

/// 2^exponent. Requires: -1022 <= exponent <= 1023.
[[gnu::always_inline]] inline constexpr double double_scale(std::int32_t exponent) {
  return __builtin_bit_cast(
      double, static_cast<std::uint64_t>(static_cast<std::int64_t>(exponent) + 1023) << 52);
}

/// The largest integer that is not above x. Requires: |x| < 2^51.
[[gnu::always_inline]] inline constexpr double floor_near_zero(double x) {
  constexpr double aligner = 0x1.8p52;
  const double nearest = (x + aligner) - aligner;
  return nearest - (nearest > x ? 1.0 : 0.0);
}

/// x rounded down to the place `unit` of a normal number's bits. Requires: x is normal or zero.
[[gnu::always_inline]] inline constexpr double floored(double x, std::uint64_t unit) {
  const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, x);
  const std::uint64_t discarded = unit - 1;
  const std::uint64_t away = (std::uint64_t{0} - (bits >> 63)) & discarded;
  return __builtin_bit_cast(double, (bits + away) & ~discarded);
}

/// psum(i, j) (+)= the model's sum over k of stationary(k, i) * moving(k, j), where the old psum is
/// c, or 0 without accumulate. Rows whose block holds an infinity, a NaN, or an exponent at which a
/// product might be infinite, go through the definition.
/// Requires: a model that `covers` accepts; k > 0.
template <class Tag, Rounding R, bool late, Cut cut>
struct AlignedLoops {
  /// Whether the model is an aligned sum with this R, position of c and cut, whose terms fit 32
  /// bits.
  static bool covers(const AccumulatorModel& model) {
    return model.sum == BlockSum::aligned && model.rounding == R && model.group == 1 &&
           model.addend == (late ? AddendPosition::late : AddendPosition::early) &&
           model.cut == cut && model.lanes <= most_lanes &&
           (!late || model.late_cut == Cut::floor) && model.operands.precision <= 12 &&
           model.fraction_bits <= 29 && model.block <= longest;
  }

  static void matmul(const AccumulatorModel& model, const Matmul<float>& call) {
    const bool is_a_cast =
        R == Rounding::rne && same_format(model.format, fp32) && !model.flush_outputs;
    const AlignedLoops loops{model, call, FinalRounding::of(model), is_a_cast,
                             rounding_grid<double>(sum_format(model))};
    Panel panel;
    for (std::size_t j = 0; j < call.n; j += block_cols) {
      const std::size_t cols = call.n - j < block_cols ? call.n - j : block_cols;
      for (std::size_t first = 0; first < call.k; first += model.block) {
        const std::size_t count = call.k - first < model.block ? call.k - first : model.block;
        loops.split(panel, first, count, j, cols);
        for (std::size_t i = 0; i < call.m; ++i) loops.row(panel, i, first, count, j, cols);
      }
    }
  }

  const AccumulatorModel& model;
  const Matmul<float>& call;
  FinalRounding final_rounding;
  bool is_a_cast;                 ///< rounding by the model is converting to float
  RoundingGrid<double> sum_grid;  ///< of sum_bits

 private:
  static constexpr std::size_t block_cols = 256;
  static constexpr std::size_t longest = 32;
  static constexpr std::size_t most_lanes = late ? 2 : 1;
  static constexpr std::size_t steps = 4;
  static constexpr int lowest_scale = 27;  ///< biased: 2^-100; below it a term is cut to 0 or -1

  std::size_t lanes() const { return late ? model.lanes : 1; }

  struct Panel {
    alignas(64) float significand[longest][block_cols];
    alignas(64) std::int32_t exponent[longest][block_cols];
    std::size_t row[longest];           ///< of each product of the block: lane after lane
    std::size_t first[most_lanes + 1];  ///< row of each lane, and their end
    bool finite;
  };

  /// The state of one row of one block.
  struct Aligned {
    alignas(64) float c_significand[block_cols];
    alignas(64) std::int32_t c_exponent[block_cols];
    alignas(64) std::int32_t exponent[block_cols];  ///< the largest of the terms
    alignas(64) double total[block_cols];           ///< an early c, aligned and cut, and ...
    alignas(64) std::int32_t sum[block_cols];       ///< ... the last 2^(29-F) products, too
  };

  /// panel <- the rows [first, first + count) of moving, columns [j, j + cols).
  void split(Panel& panel, std::size_t first, std::size_t count, std::size_t j,
             std::size_t cols) const {
    const int emin = operands_of_b(model).emin;
    const bool flush = model.flush_inputs;
    std::size_t row = 0;
    for (std::size_t number = 0; number < lanes(); ++number) {
      panel.first[number] = row;
      for (std::size_t l = number; l < count; l += lanes()) panel.row[l] = row++;
    }
    panel.first[lanes()] = row;
    std::uint32_t largest = 0;
    for (std::size_t l = 0; l < count; ++l) {
      const float* moving = call.moving + (first + l) * call.moving_stride + j;
      float* __restrict significand = panel.significand[panel.row[l]];
      std::int32_t* __restrict exponent = panel.exponent[panel.row[l]];
      for (std::size_t x = 0; x < cols; ++x) {
        const AlignedParts p = aligned_parts(moving[x], emin, flush);
        significand[x] = p.significand;
        exponent[x] = p.exponent;
        const std::uint32_t magnitude = __builtin_bit_cast(std::uint32_t, moving[x]) & 0x7fffffffu;
        largest = magnitude > largest ? magnitude : largest;
      }
    }
    panel.finite = largest < 0x7f800000u;
  }

  /// One row of one block: c <- c and its products.
  void row(const Panel& panel, std::size_t i, std::size_t first, std::size_t count, std::size_t j,
           std::size_t cols) const {
    float significand[longest];
    std::int32_t exponent[longest];
    const float* stationary = call.stationary + first * call.stationary_k + i * call.stationary_m;
    float* psum = call.psum + i * call.psum_stride + j;
    bool finite = panel.finite;
    for (std::size_t l = 0; l < count; ++l) {
      const float x = stationary[l * call.stationary_k];
      const AlignedParts p =
          aligned_parts(call.negate ? -x : x, model.operands.emin, model.flush_inputs);
      significand[panel.row[l]] = p.significand;
      exponent[panel.row[l]] = p.exponent;
      finite = finite && x - x == 0;
    }
    if (first == 0 && !call.accumulate)
      for (std::size_t x = 0; x < cols; ++x) psum[x] = 0;

    Aligned block, next;
    take_apart(block, psum, cols);
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
      Aligned& sums = lane == 0 ? block : next;
      const std::size_t begin = panel.first[lane], end = panel.first[lane + 1];
      if (lane > 0) start_lane(next, cols);
      for_steps(begin, end, [&](auto some, std::size_t l) {
        largest_exponent<some()>(sums.exponent, exponent + l, panel.exponent + l, cols);
      });
      if (!finite || (model.product_overflow && overflows(sums.exponent, cols))) {
        Matmul<float> part = call.part(i, 1, j, cols, first, count);
        part.accumulate = true;
        return sum_by_definition(model, part);
      }
      sum_rows(sums, panel, significand, exponent, begin, end, cols);
      if (lane > 0) join(block, next, cols);
    }
    if (late && model.c_reach != 0) leave_out(block, cols);
    const bool is_last_cast = R == Rounding::rne && is_a_cast;
    const bool cuts_sum = late && model.sum_bits != 0;
    const bool normal = (cuts_sum || !is_last_cast) && stays_normal(block, cols);
    if (!cuts_sum)
      is_last_cast ? round<Last::cast>(block, psum, cols)
      : normal     ? round<Last::normal>(block, psum, cols)
                   : round<Last::general>(block, psum, cols);
    else if (is_last_cast)
      normal ? round<Last::cast, SumCut::normal>(block, psum, cols)
             : round<Last::cast, SumCut::general>(block, psum, cols);
    else
      normal ? round<Last::normal, SumCut::normal>(block, psum, cols)
             : round<Last::general, SumCut::general>(block, psum, cols);
  }

  /// sums <- the products of the rows [begin, end) of the panel, and an early c.
  void sum_rows(Aligned& sums, const Panel& panel, const float* significand,
                const std::int32_t* exponent, std::size_t begin, std::size_t end,
                std::size_t cols) const {
    start_sum(sums, cols);
    const std::size_t most = std::size_t{1} << (29 - model.fraction_bits);
    for (std::size_t l = begin; l < end; l += most) {
      if (l > begin) carry(sums, cols);
      for_steps(l, end - l < most ? end : l + most, [&](auto some, std::size_t row) {
        add_terms<some()>(sums, significand + row, exponent + row, panel.significand + row,
                          panel.exponent + row, cols);
      });
    }
  }

  /// Calls work(count, l) for all of [begin, end), `steps` at a time and then one by one.
  template <class Work>
  [[gnu::always_inline]] static void for_steps(std::size_t begin, std::size_t end, Work work) {
    for (; begin + steps <= end; begin += steps)
      work(std::integral_constant<std::size_t, steps>{}, begin);
    for (; begin < end; ++begin) work(std::integral_constant<std::size_t, 1>{}, begin);
  }

  void take_apart(Aligned& block, const float* __restrict psum, std::size_t cols) const {
    const int emin = model.format.emin;
    const bool flush = model.flush_inputs;
    const std::int32_t lowest = model.lowest_exponent;
    for (std::size_t x = 0; x < cols; ++x) {
      const AlignedParts c = aligned_parts(psum[x], emin, flush);
      block.c_significand[x] = c.significand;
      block.c_exponent[x] = c.exponent;
      const std::int32_t joined = late ? zero_exponent : c.exponent;
      block.exponent[x] = joined > lowest ? joined : lowest;
    }
  }

  /// A lane other than the first has no c.
  void start_lane(Aligned& lane, std::size_t cols) const {
    for (std::size_t x = 0; x < cols; ++x) lane.exponent[x] = model.lowest_exponent;
  }

  /// block <- the sum of both, each cut to the unit of the larger exponent.
  static void join(Aligned& block, const Aligned& lane, std::size_t cols) {
    for (std::size_t x = 0; x < cols; ++x) {
      const std::int32_t a = block.exponent[x], b = lane.exponent[x];
      const std::int32_t top = a > b ? a : b;
      const double of_a = block.total[x] + static_cast<double>(block.sum[x]);
      const double of_b = lane.total[x] + static_cast<double>(lane.sum[x]);
      block.total[x] = floor_near_zero(of_a * double_scale(a - top)) +
                       floor_near_zero(of_b * double_scale(b - top));
      block.sum[x] = 0;
      block.exponent[x] = top;
    }
  }

  /// A c too far below the products is zero.
  void leave_out(Aligned& block, std::size_t cols) const {
    const std::int32_t emin = model.format.emin;
    const std::int32_t reach = model.c_reach;
    for (std::size_t x = 0; x < cols; ++x) {
      const std::int32_t of_c = block.c_exponent[x] > emin ? block.c_exponent[x] : emin;
      const bool is_far = block.exponent[x] - of_c > reach;
      block.c_significand[x] = is_far ? 0.0f : block.c_significand[x];
    }
  }

  template <std::size_t count>
  static void largest_exponent(std::int32_t* __restrict largest, const std::int32_t* a,
                               const std::int32_t (*b)[block_cols], std::size_t cols) {
    std::int32_t row[count];
    for (std::size_t s = 0; s < count; ++s) row[s] = a[s];
    for (std::size_t x = 0; x < cols; ++x) {
      std::int32_t value = largest[x];
#pragma GCC unroll 8
      for (std::size_t s = 0; s < count; ++s) {
        const std::int32_t exponent = row[s] + b[s][x];
        value = exponent > value ? exponent : value;
      }
      largest[x] = value;
    }
  }

  /// Whether a product of significands in [0, 4) might reach 2^128.
  static bool overflows(const std::int32_t* exponent, std::size_t cols) {
    std::int32_t largest = 0;
    for (std::size_t x = 0; x < cols; ++x) largest = exponent[x] > largest ? exponent[x] : largest;
    return largest >= 127;
  }

  /// significand * 2^(F - largest + exponent), cut, where base = 127 + F - largest.
  [[gnu::always_inline]] static std::int32_t term(float significand, std::int32_t base,
                                                  std::int32_t exponent) {
    std::int32_t biased = base + exponent;
    biased = biased > lowest_scale ? biased : lowest_scale;
    const float scaled =
        significand * __builtin_bit_cast(float, static_cast<std::uint32_t>(biased) << 23);
    const std::int32_t whole = static_cast<std::int32_t>(scaled);
    if constexpr (cut == Cut::floor) return whole - (static_cast<float>(whole) > scaled ? 1 : 0);
    return whole;
  }

  void start_sum(Aligned& block, std::size_t cols) const {
    const std::int32_t base = 127 + model.fraction_bits;
    for (std::size_t x = 0; x < cols; ++x) {
      const std::int32_t c =
          late ? 0 : term(block.c_significand[x], base - block.exponent[x], block.c_exponent[x]);
      block.total[x] = static_cast<double>(c);
      block.sum[x] = 0;
    }
  }

  /// Empties the 32-bit sums before they can overflow: 2^(29-F) terms below 2^(F+2) just fit.
  static void carry(Aligned& block, std::size_t cols) {
    for (std::size_t x = 0; x < cols; ++x) {
      block.total[x] += static_cast<double>(block.sum[x]);
      block.sum[x] = 0;
    }
  }

  template <std::size_t count>
  void add_terms(Aligned& block, const float* a, const std::int32_t* a_exponent,
                 const float (*b)[block_cols], const std::int32_t (*b_exponent)[block_cols],
                 std::size_t cols) const {
    float row[count];
    std::int32_t base[count];
    for (std::size_t s = 0; s < count; ++s) {
      row[s] = a[s];
      base[s] = 127 + model.fraction_bits + a_exponent[s];
    }
    const std::int32_t* __restrict largest = block.exponent;
    std::int32_t* __restrict sum = block.sum;
    for (std::size_t x = 0; x < cols; ++x) {
      std::int32_t value = sum[x];
#pragma GCC unroll 8
      for (std::size_t s = 0; s < count; ++s)
        value += term(row[s] * b[s][x], base[s] - largest[x], b_exponent[s][x]);
      sum[x] = value;
    }
  }

  /// Whether every sum is 0 or between 2^emin and 2^emax: it is a multiple of 2^(exponent - bits),
  /// and less than 33 terms of four times 2^top.
  bool stays_normal(const Aligned& block, std::size_t cols) const {
    const std::int32_t bits = late ? model.late_fraction_bits : model.fraction_bits;
    std::int32_t lowest = 10000;
    std::int32_t top = -10000;
    for (std::size_t x = 0; x < cols; ++x) {
      const std::int32_t exponent = block.exponent[x];
      const std::int32_t of_c = block.c_exponent[x];
      lowest = exponent < lowest ? exponent : lowest;
      top = exponent > top ? exponent : top;
      top = of_c > top ? of_c : top;
    }
    return lowest - bits >= model.format.emin && top + 8 <= model.format.emax;
  }

  /// The kind of the last rounding: a conversion, only for normal results, or any.
  enum class Last { cast, normal, general };

  /// How the sum with a late c is cut before: not at all, as a normal number, or as any number.
  enum class SumCut { none, normal, general };

  /// psum <- the sums, rounded. An infinite c stays, a NaN becomes quiet.
  template <Last last, SumCut sum_cut = SumCut::none>
  void round(const Aligned& block, float* __restrict psum, std::size_t cols) const {
    const std::int32_t bits = model.fraction_bits;
    const std::int32_t late_bits = model.late_fraction_bits;
    const double c_unit = double_scale(late_bits - bits);
    const FinalRounding to = final_rounding;
    const RoundingGrid<double> kept = sum_grid;
    const std::int32_t emin = model.format.emin;
    for (std::size_t x = 0; x < cols; ++x) {
      const std::int32_t exponent = block.exponent[x];
      double value = block.total[x] + static_cast<double>(block.sum[x]);
      if constexpr (late) {
        const std::int32_t of_c = block.c_exponent[x] > emin ? block.c_exponent[x] : emin;
        const std::int32_t top = of_c > exponent ? of_c : exponent;
        const std::int32_t clamped = of_c > top - 100 ? of_c : top - 100;
        const double c =
            static_cast<double>(block.c_significand[x]) * double_scale(clamped - top + bits);
        const double products =
            floor_near_zero(value * double_scale(exponent - top + late_bits - bits));
        value = (products + floor_near_zero(c) * c_unit) * double_scale(top - late_bits);
        if constexpr (sum_cut == SumCut::normal) value = floored(value, kept.unit);
        if constexpr (sum_cut == SumCut::general)
          value = round_to_grid<Rounding::rd, false>(value, kept);
      } else {
        value *= double_scale(exponent - bits);
      }
      if constexpr (last == Last::normal) value = to.rounded_normal<R>(value);
      if constexpr (last == Last::general) value = to.rounded<R>(value);
      float sum = static_cast<float>(value);
      if constexpr (last != Last::normal) sum += 0.0f;  // an underflow gives +0
      psum[x] = psum[x] - psum[x] == 0 ? sum : psum[x] + psum[x];
    }
  }
};

// The inner loops of aligned sums over operands so narrow that alignment cuts no product: fp4,
// fp6.
//
// Plain float additions then sum the products of a block exactly, whatever their groups. c is added
// in a double, also exactly, unless it is so large that the alignment cuts the products, or so fine
// that the alignment cuts c.

/// psum(i, j) (+)= the model's sum over k of stationary(k, i) * moving(k, j), where the old psum is
/// c, or 0 without accumulate. Blocks of a row whose c is too large or too fine use the definition.
/// Requires: a model that `covers` accepts; k > 0.
template <class Tag, Rounding R>
struct UncutLoops {
  /// Whether the model is an early aligned sum whose products, multiples of 2^lowest below
  /// 2^(highest + 2), fit 24 bits together, with enough fraction bits that c is not cut when it is
  /// the largest term.
  static bool covers(const AccumulatorModel& model) {
    if (model.sum != BlockSum::aligned || model.addend != AddendPosition::early ||
        model.rounding != R || model.operands_of_b || model.block == 0 || model.block > 64 ||
        model.flush_inputs || model.operands.emax > 8 || model.operands.emin < -8 ||
        model.fraction_bits < 23)
      return false;
    const int lowest = 2 * quantum_exponent(model.operands);
    const int highest = 2 * model.operands.emax;
    return highest + 2 + 6 - lowest <= 24 && highest - model.fraction_bits <= lowest &&
           model.lowest_exponent <= highest;
  }

  static void matmul(const AccumulatorModel& model, const Matmul<float>& call) {
    const UncutLoops loops{model, call, FinalRounding::of(model)};
    for (std::size_t j = 0; j < call.n; j += block_cols) {
      const std::size_t cols = call.n - j < block_cols ? call.n - j : block_cols;
      for (std::size_t i = 0; i < call.m; ++i) {
        float* psum = call.psum + i * call.psum_stride + j;
        if (!call.accumulate)
          for (std::size_t x = 0; x < cols; ++x) psum[x] = 0;
        for (std::size_t k = 0; k < call.k; k += model.block)
          loops.block(psum, i, j, cols, k, call.k - k < model.block ? call.k - k : model.block);
      }
    }
  }

  const AccumulatorModel& model;
  const Matmul<float>& call;
  FinalRounding rounding;

 private:
  static constexpr std::size_t block_cols = 128;
  static constexpr std::size_t steps = 8;

  void block(float* __restrict psum, std::size_t i, std::size_t j, std::size_t cols, std::size_t k,
             std::size_t count) const {
    alignas(64) float products[block_cols];
    for (std::size_t x = 0; x < cols; ++x) products[x] = 0;
    std::size_t l = 0;
    for (; l + steps <= count; l += steps) add_products<steps>(products, i, j, k + l, cols);
    for (; l < count; ++l) add_products<1>(products, i, j, k + l, cols);

    // Adding `aligner` keeps the multiples of the unit to which the largest product aligns. Where
    // groups have the exponent of their scales, the block's unit is no coarser.
    const int lowest = 2 * quantum_exponent(model.operands);
    const int unit = 2 * model.operands.emax - model.fraction_bits;
    const double aligner = 1.5 * power_of_two(unit + 52);
    const double largest = power_of_two(lowest + model.fraction_bits + 1);
    std::uint32_t exact = 1;
    for (std::size_t x = 0; x < cols; ++x) {
      const double c = static_cast<double>(psum[x]);
      const bool whole = (c + aligner) - aligner == c && __builtin_fabs(c) < largest;
      const bool finite = products[x] - products[x] == 0;
      exact &= whole && finite ? 1u : 0u;
    }
    if (exact == 0) {
      Matmul<float> part = call.part(i, 1, j, cols, k, count);
      part.accumulate = true;
      return sum_by_definition(model, part);
    }
    const FinalRounding to = rounding;
    for (std::size_t x = 0; x < cols; ++x)
      psum[x] = static_cast<float>(
          to.template rounded<R>(static_cast<double>(psum[x]) + static_cast<double>(products[x])));
  }

  template <std::size_t count>
  void add_products(float* __restrict sum, std::size_t i, std::size_t j, std::size_t k,
                    std::size_t cols) const {
    float factor[count];
    const float* moving[count];
    for (std::size_t s = 0; s < count; ++s) {
      const float element = call.stationary[(k + s) * call.stationary_k + i * call.stationary_m];
      factor[s] = call.negate ? -element : element;
      moving[s] = call.moving + (k + s) * call.moving_stride + j;
    }
    for (std::size_t x = 0; x < cols; ++x) {
      float value = sum[x];
#pragma GCC unroll 8
      for (std::size_t s = 0; s < count; ++s) value += factor[s] * moving[s][x];
      sum[x] = value;
    }
  }
};

}  // namespace fftprec

/// The inner loops of the accumulator models that round every addition: chains and trees.
///
/// The vector direction is the column, as in HostLoops of kernels/loops.hpp: a row of up to 128
/// sums stays in the first-level cache while the products of one block of k are added to it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/accumulators/definition.hpp"
#include "arith/formats/format.hpp"
#include "arith/formats/views.hpp"
#include "arith/kernels/units.hpp"

namespace fftprec {

/// psum(i, j) (+)= the model's sum over k of stationary(k, i) * moving(k, j), where the old psum is
/// c, or 0 without accumulate.
/// Requires: a sum other than exact or aligned, and no tree for a unit that works in chains only;
/// operands whose products the unit forms as the model does.
template <class Tag, class Unit>
struct OrderedLoops {
  static void matmul(const AccumulatorModel& model, const Unit& unit, const Matmul<float>& call) {
    for (std::size_t j = 0; j < call.n; j += block_cols)
      for (std::size_t i = 0; i < call.m; ++i) {
        const std::size_t cols = call.n - j < block_cols ? call.n - j : block_cols;
        const OrderedLoops loops{model, unit, call, i, j, cols};
        loops.row();
      }
  }

  const AccumulatorModel& model;
  const Unit& unit;
  const Matmul<float>& call;
  std::size_t i;
  std::size_t j;
  std::size_t cols;

 private:
  static constexpr std::size_t block_cols = most_row_columns;
  static constexpr std::size_t subtree_leaves = 8;

  struct Sums {
    alignas(64) float at[block_cols];
  };

  void row() const {
    Sums c;
    float* psum = call.psum + i * call.psum_stride + j;
    for (std::size_t x = 0; x < cols; ++x) c.at[x] = call.accumulate ? psum[x] : 0.0f;
    const std::size_t length = block_length(model, call.k);
    for (std::size_t first = 0; first < call.k; first += length) {
      const std::size_t count = call.k - first < length ? call.k - first : length;
      if (model.flush_inputs) flush(c);
      block(c, first, count);
    }
    if (!Unit::trusts_infinity && !finite(c))
      return sum_by_definition(model, call.part(i, 1, j, cols, 0, call.k));
    for (std::size_t x = 0; x < cols; ++x) psum[x] = c.at[x];
  }

  bool finite(const Sums& c) const {
    std::uint32_t largest = 0;
    for (std::size_t x = 0; x < cols; ++x) {
      const std::uint32_t magnitude = __builtin_bit_cast(std::uint32_t, c.at[x]) & 0x7fffffffu;
      largest = magnitude > largest ? magnitude : largest;
    }
    return largest < 0x7f800000u;
  }

  void flush(Sums& c) const {
    const float least = static_cast<float>(min_normal(model.format));
    for (std::size_t x = 0; x < cols; ++x) c.at[x] = flushed_below(least, c.at[x]);
  }

  /// c <- c with the products [first, first + count).
  void block(Sums& c, std::size_t first, std::size_t count) const {
    if (model.addend == AddendPosition::early) return ordered(c, first, count);
    Sums products;
    clear(products);
    ordered(products, first, count);
    add(c, c, products);
  }

  /// sum <- the products, from what sum holds.
  void ordered(Sums& sum, std::size_t first, std::size_t count) const {
    switch (model.sum) {
      case BlockSum::reversed:
        return chain(sum, first + count - 1, count, std::size_t{0} - 1);
      case BlockSum::even_odd: {
        Sums odd;
        clear(odd);
        chain(sum, first, (count + 1) / 2, 2);
        chain(odd, first + 1, count / 2, 2);
        return add(sum, sum, odd);
      }
      case BlockSum::segments:
        return segments(sum, first, count);
      case BlockSum::pairwise:
        if constexpr (!Unit::chains_only) pairwise(sum, first, count);
        return;
      default:
        return chain(sum, first, count, 1);
    }
  }

  /// sum <- sum + the products first, first + stride, ..., one addition each.
  void chain(Sums& sum, std::size_t first, std::size_t count, std::size_t stride) const {
    constexpr std::size_t steps = Unit::steps;
    std::size_t k = 0;
    for (; k + steps <= count; k += steps) chain_steps<steps>(sum, first + k * stride, stride);
    for (; k < count; ++k) chain_steps<1>(sum, first + k * stride, stride);
  }

  // The orders share the loops of long additions, which take most of the compile time. A short
  // addition would be slower by the call.
  template <std::size_t count>
  [[gnu::noinline]] void shared_steps(Sums& sum, std::size_t first, std::size_t stride) const {
    steps_of<count>(sum, first, stride);
  }
  template <std::size_t count>
  void chain_steps(Sums& sum, std::size_t first, std::size_t stride) const {
    if constexpr (Unit::is_short)
      steps_of<count>(sum, first, stride);
    else
      shared_steps<count>(sum, first, stride);
  }

  template <std::size_t count>
  void steps_of(Sums& sum, std::size_t first, std::size_t stride) const {
    float factor[count];
    const float* moving[count];
    for (std::size_t s = 0; s < count; ++s) {
      factor[s] = stationary(first + s * stride);
      moving[s] = call.moving + (first + s * stride) * call.moving_stride + j;
    }
    if constexpr (Unit::by_rows) {
      unit.template chain<count>(sum.at, factor, moving, cols);
    } else {
      const Unit units = unit;  // a copy that no store can change
      float* __restrict at = sum.at;
      for (std::size_t x = 0; x < cols; ++x) {
        float value = at[x];
#pragma GCC unroll 8
        for (std::size_t s = 0; s < count; ++s)
          value = units.add_product(value, factor[s], moving[s][x]);
        at[x] = value;
      }
    }
  }

  /// A tree as a binary counter: level[i] holds the sum of 2^i neighbouring terms, if bit i of the
  /// number of terms so far is set.
  struct Tree {
    Sums level[40];
    std::size_t terms = 0;
  };

  /// Adds a complete subtree of 2^height terms on the right.
  void push(Tree& tree, const Sums& subtree, std::size_t height) const {
    Sums carried = subtree;
    std::size_t h = height;
    for (; (tree.terms >> h & 1) != 0; ++h) add(carried, tree.level[h], carried);
    tree.level[h] = carried;
    tree.terms += std::size_t{1} << height;
  }

  void finish(Tree& tree, Sums& sum) const {
    std::size_t h = 0;
    while ((tree.terms >> h & 1) == 0) ++h;
    sum = tree.level[h];
    if (tree.terms == 1) add_negative_zero(sum);
    for (++h; tree.terms >> h != 0; ++h)
      if ((tree.terms >> h & 1) != 0) add(sum, tree.level[h], sum);
  }

  void segments(Sums& sum, std::size_t first, std::size_t count) const {
    Tree tree;
    for (std::size_t k = 0; k < count; k += model.segment) {
      const std::size_t length = count - k < model.segment ? count - k : model.segment;
      if (k != 0) clear(sum);
      chain(sum, first + k, length, 1);
      push(tree, sum, 0);
    }
    finish(tree, sum);
  }

  void pairwise(Sums& sum, std::size_t first, std::size_t count) const {
    Tree tree;
    if (model.addend == AddendPosition::early) push(tree, sum, 0);
    Sums leaf;
    std::size_t k = 0;
    while (k < count) {
      if constexpr (!Unit::by_rows) {
        if (tree.terms % subtree_leaves == 0 && k + subtree_leaves <= count) {
          subtree(leaf, first + k);
          push(tree, leaf, 3);
          k += subtree_leaves;
          continue;
        }
      }
      product_row(leaf, first + k);
      push(tree, leaf, 0);
      ++k;
    }
    finish(tree, sum);
  }

  void product_row(Sums& leaf, std::size_t k) const {
    const float factor = stationary(k);
    const float* moving = call.moving + k * call.moving_stride + j;
    if constexpr (Unit::by_rows) {
      unit.product_row(leaf.at, factor, moving, cols);
    } else {
      for (std::size_t x = 0; x < cols; ++x) leaf.at[x] = unit.product(factor, moving[x]);
    }
  }

  /// The tree over eight products.
  void subtree(Sums& sum, std::size_t first) const {
    float f[subtree_leaves];
    for (std::size_t s = 0; s < subtree_leaves; ++s) f[s] = stationary(first + s);
    const std::size_t stride = call.moving_stride;
    const float* moving = call.moving + first * stride + j;
    const Unit units = unit;
    for (std::size_t x = 0; x < cols; ++x) {
      const auto pair = [&](std::size_t s) __attribute__((always_inline)) {
        return units.add(units.product(f[s], moving[s * stride + x]),
                         units.product(f[s + 1], moving[(s + 1) * stride + x]));
      };
      sum.at[x] = units.add(units.add(pair(0), pair(2)), units.add(pair(4), pair(6)));
    }
  }

  /// Rounds a term that was not added to another one: adding -0 changes no number.
  void add_negative_zero(Sums& sum) const {
    Sums zeros;
    for (std::size_t x = 0; x < cols; ++x) zeros.at[x] = -0.0f;
    add(sum, sum, zeros);
  }

  [[gnu::noinline]] void shared_add(Sums& sum, const Sums& a, const Sums& b) const {
    sum_of(sum, a, b);
  }
  void add(Sums& sum, const Sums& a, const Sums& b) const {
    if constexpr (Unit::is_short)
      sum_of(sum, a, b);
    else
      shared_add(sum, a, b);
  }

  void sum_of(Sums& sum, const Sums& a, const Sums& b) const {
    if constexpr (Unit::by_rows) {
      unit.add_rows(sum.at, a.at, b.at, cols);
    } else {
      const Unit units = unit;
      for (std::size_t x = 0; x < cols; ++x) sum.at[x] = units.add(a.at[x], b.at[x]);
    }
  }

  void clear(Sums& sum) const {
    for (std::size_t x = 0; x < cols; ++x) sum.at[x] = 0.0f;
  }

  [[gnu::always_inline]] float stationary(std::size_t k) const {
    const float element = call.stationary[k * call.stationary_k + i * call.stationary_m];
    return unit.operand(call.negate ? -element : element);
  }
};

// Chains of products rounded to p bits: a multiplication and an addition more than plain ones, or
// three fused operations each.
//
// Let a = s A and b = t B with powers of two s and t, the signs in them, and A, B in [1, 2). With
// C = (2^(25-p) - 2) t the sum A b + C has a magnitude in [2^(24-p), 2^(25-p)) |t| as long as A B
// is below 2, and in the next binade from there on: floats there are 2^(1-p) |t| apart, then twice
// that, and so are numbers of p bits around A b. So one addition rounds A b to p bits, with ties to
// even, since C is an even number of steps in both binades. Subtracting C is exact, and so is the
// product with s. A processor with fused operations needs three: A b + C, - C, and s (.) + sum,
// which rounds the sum once, whatever its rounding.
//
// Only the sign of a zero product is lost. This changes a sum only if it begins with -0.

/// psum(i, j) (+)= sum over k of P(stationary(k, i) * moving(k, j)), k ascending, where P rounds to
/// `precision` bits and every sum is rounded by R.
/// Requires: `exists`; precision >= 2; products that are zero or normal floats, exact in one;
/// moving below 2^(102 + precision); no psum of -0 with accumulate.
template <class Tag, Rounding P, Rounding R>
struct RoundedChainLoops {
#if defined(__AVX512F__)
  static constexpr bool exists = P != Rounding::odd && R != Rounding::odd;
  static constexpr std::size_t most_rows = 4;  ///< rows that are computed together
#else
  static constexpr bool exists = P == Rounding::rne && R == Rounding::rne;
  static constexpr std::size_t most_rows = 1;
#endif

  static void matmul(int precision, const Matmul<float>& call) {
    const RoundedChainLoops loops{call, static_cast<float>((1 << (25 - precision)) - 2)};
    Panel panel;
    for (std::size_t j = 0; j < call.n; j += block_cols)
      for (std::size_t k = 0; k < call.k; k += block_depth) {
        const Block block{.j = j,
                          .cols = call.n - j < block_cols ? call.n - j : block_cols,
                          .k = k,
                          .depth = call.k - k < block_depth ? call.k - k : block_depth};
        loops.split(panel, block);
        std::size_t i = 0;
        for (; i + most_rows <= call.m; i += most_rows) loops.rows<most_rows>(panel, block, i);
        for (; i < call.m; ++i) loops.rows<1>(panel, block, i);
      }
  }

  const Matmul<float>& call;
  float lift;  ///< C / t

 private:
  static constexpr std::size_t block_cols = 128;
  static constexpr std::size_t block_depth = 32;
  static constexpr std::uint32_t power_bits = 0xff800000u;

  struct Block {
    std::size_t j, cols, k, depth;
  };

  /// 32 KiB, so that it stays in the first-level cache for all rows. Columns beyond the last are 0.
  struct Panel {
    alignas(64) float moving[block_depth][block_cols];
    alignas(64) float lifted[block_depth][block_cols];  ///< C
  };

  template <std::size_t count>
  struct Factors {
    float significand[block_depth][count];
    float power[block_depth][count];
  };

  void split(Panel& panel, const Block& block) const {
    for (std::size_t l = 0; l < block.depth; ++l) {
      const float* from = call.moving + (block.k + l) * call.moving_stride + block.j;
      float* __restrict moving = panel.moving[l];
      float* __restrict lifted = panel.lifted[l];
      for (std::size_t x = 0; x < block.cols; ++x) {
        const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, from[x]);
        moving[x] = from[x];
        lifted[x] = __builtin_bit_cast(float, bits& power_bits) * lift;
      }
      for (std::size_t x = block.cols; x < block_cols; ++x) moving[x] = lifted[x] = 0;
    }
  }

  template <std::size_t count>
  void rows(const Panel& panel, const Block& block, std::size_t i) const {
    Factors<count> factors;
    const std::uint32_t sign = call.negate ? 0x80000000u : 0u;
    for (std::size_t l = 0; l < block.depth; ++l)
      for (std::size_t r = 0; r < count; ++r) {
        const float a =
            call.stationary[(block.k + l) * call.stationary_k + (i + r) * call.stationary_m];
        const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, a) ^ sign;
        factors.significand[l][r] = __builtin_bit_cast(float, (bits & 0x007fffffu) | 0x3f800000u);
        factors.power[l][r] = __builtin_bit_cast(float, bits& power_bits);
      }
    const bool from_zero = block.k == 0 && !call.accumulate;
    float* psum = call.psum + i * call.psum_stride + block.j;
#if defined(__AVX512F__)
    constexpr std::size_t vectors = 4;
    std::size_t x = 0;
    for (; x + vectors * lanes <= block.cols; x += vectors * lanes)
      chains<count, vectors>(panel, block, factors, psum, x, from_zero);
    for (; x < block.cols; x += lanes) chains<count, 1>(panel, block, factors, psum, x, from_zero);
#else
    if (from_zero)
      for (std::size_t x = 0; x < block.cols; ++x) psum[x] = 0;
    std::size_t l = 0;
    for (; l + steps <= block.depth; l += steps)
      add_products<steps>(panel, factors, psum, l, block.cols);
    for (; l < block.depth; ++l) add_products<1>(panel, factors, psum, l, block.cols);
#endif
  }

#if defined(__AVX512F__)
  static constexpr std::size_t lanes = TowardZeroRows::lanes;

  template <std::size_t count, std::size_t vectors>
  void chains(const Panel& panel, const Block& block, const Factors<count>& factors, float* psum,
              std::size_t x, bool from_zero) const {
    const __mmask16 mask = TowardZeroRows::columns(block.cols - x);
    __m512 sum[count][vectors];
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t v = 0; v < vectors; ++v)
        sum[r][v] = from_zero
                        ? _mm512_setzero_ps()
                        : _mm512_maskz_loadu_ps(mask, psum + r * call.psum_stride + x + v * lanes);
    for (std::size_t l = 0; l < block.depth; ++l)
      for (std::size_t v = 0; v < vectors; ++v) {
        const __m512 moving = _mm512_load_ps(panel.moving[l] + x + v * lanes);
        const __m512 lifted = _mm512_load_ps(panel.lifted[l] + x + v * lanes);
        for (std::size_t r = 0; r < count; ++r) {
          const __m512 high = fused<P>(_mm512_set1_ps(factors.significand[l][r]), moving, lifted);
          sum[r][v] =
              fused<R>(_mm512_set1_ps(factors.power[l][r]), _mm512_sub_ps(high, lifted), sum[r][v]);
        }
      }
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t v = 0; v < vectors; ++v)
        _mm512_mask_storeu_ps(psum + r * call.psum_stride + x + v * lanes, mask, sum[r][v]);
  }

  template <Rounding To>
  [[gnu::always_inline]] static __m512 fused(__m512 a, __m512 b, __m512 c) {
    if constexpr (To == Rounding::rz)
      return _mm512_fmadd_round_ps(a, b, c, TowardZeroRows::toward_zero);
    else
      return _mm512_fmadd_ps(a, b, c);
  }
#else
  static constexpr std::size_t steps = 4;

  template <std::size_t count>
  static void add_products(const Panel& panel, const Factors<1>& factors, float* __restrict psum,
                           std::size_t l, std::size_t cols) {
    float significand[count];
    float power[count];
    for (std::size_t s = 0; s < count; ++s) {
      significand[s] = factors.significand[l + s][0];
      power[s] = factors.power[l + s][0];
    }
    for (std::size_t x = 0; x < cols; ++x) {
      float sum = psum[x];
#pragma GCC unroll 8
      for (std::size_t s = 0; s < count; ++s) {
        const float lifted = panel.lifted[l + s][x];
        const float high = significand[s] * panel.moving[l + s][x] + lifted;
        sum += power[s] * (high - lifted);
      }
      psum[x] = sum;
    }
  }
#endif
};

}  // namespace fftprec

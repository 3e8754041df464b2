/// The arithmetic units of accumulator models that round every addition, for vector loops: the
/// product of two operands, the addition to a sum, and the last rounding.
///
/// An addition has: add(a, b); operand(x), which applies flush rules; `steps`, the additions in
/// sequence per iteration of a vector loop, few enough that the compiler unrolls them before it
/// vectorises; whether it is so short that a call would slow it down; and whether infinities and
/// NaNs in results are right, or mean that the definition must be used. A unit also has
/// add_product(c, a, b); product(a, b), unless it works only in chains, where product and addition
/// may be one operation; and a chain over whole rows if it is written in vectors (`by_rows`).
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "arith/accumulators/model.hpp"
#include "arith/formats/eft.hpp"
#include "arith/formats/round.hpp"

namespace fftprec {

/// a == b, forced inline, since the implicit operator would be shared between instruction sets.
[[gnu::always_inline]] inline constexpr bool same_format(const Format& a, const Format& b) {
  return a.precision == b.precision && a.emin == b.emin && a.emax == b.emax &&
         a.subnormals == b.subnormals && a.overflow == b.overflow;
}

/// x, or a zero of its sign below `least`.
template <class Real>
[[gnu::always_inline]] inline constexpr Real flushed_below(Real least, Real x) {
  if constexpr (sizeof(Real) == sizeof(float))
    return __builtin_fabsf(x) < least ? __builtin_copysignf(0.0f, x) : x;
  else
    return __builtin_fabs(x) < least ? __builtin_copysign(0.0, x) : x;
}

/// Rounds to a model's format with its rules for both ends of the range.
struct FinalRounding {
  RoundingGrid<double> grid;
  double least;    ///< smaller results become zero
  double largest;  ///< larger ones infinite

  [[gnu::always_inline]] static FinalRounding of(const AccumulatorModel& model) {
    Format format = model.format;
    if (model.flush_outputs) format.emin = -900;
    if (model.overflow_to_infinity) format.emax = 900;
    return {.grid = rounding_grid<double>(format),
            .least = model.flush_outputs ? min_normal(model.format) : 0.0,
            .largest = model.overflow_to_infinity ? max_finite(model.format) : 0x1p1000};
  }

  template <Rounding R>
  [[gnu::always_inline]] double rounded(double value) const {
    constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
    const std::uint64_t sign = __builtin_bit_cast(std::uint64_t, value) & sign_bit;
    const double magnitude = __builtin_fabs(round_to_grid<R, false>(value, grid));
    double result = magnitude > largest ? __builtin_inf() : magnitude;
    result = magnitude < least ? 0.0 : result;
    return __builtin_bit_cast(double, sign | __builtin_bit_cast(std::uint64_t, result));
  }

  /// As above, for a value that is zero or rounds to a finite normal number of the format.
  template <Rounding R>
  [[gnu::always_inline]] double rounded_normal(double value) const {
    constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
    const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, value);
    const std::uint64_t sign = bits & sign_bit;
    return __builtin_bit_cast(double,
                              sign | round_normal<R>(bits & ~sign_bit, sign != 0, grid.unit));
  }
};

/// x rounded to bf16 toward zero: the low half of its bits cleared. Exact for infinities, and for
/// NaNs whose payload has no low half.
[[gnu::always_inline]] inline constexpr float truncate_to_bf16(float x) {
  return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) & 0xffff0000u);
}

/// a + b in fp32, rounded toward zero.
/// If the exact error shows that the nearest sum is larger in magnitude than the true one, the
/// magnitude is reduced by one step. An overflow of finite operands gives the largest finite value.
[[gnu::always_inline]] inline constexpr float add_toward_zero(float a, float b) {
  constexpr std::uint32_t magnitude_mask = 0x7fffffffu;
  constexpr std::uint32_t infinity = 0x7f800000u;
  const auto [sum, error] = two_sum(a, b);
  const std::uint32_t sum_bits = __builtin_bit_cast(std::uint32_t, sum);
  const std::uint32_t error_bits = __builtin_bit_cast(std::uint32_t, error);
  const std::uint32_t a_magnitude = __builtin_bit_cast(std::uint32_t, a) & magnitude_mask;
  const std::uint32_t b_magnitude = __builtin_bit_cast(std::uint32_t, b) & magnitude_mask;
  const std::uint32_t unlike = (sum_bits ^ error_bits) >> 31;
  const std::uint32_t toward_zero = sum_bits - (error != 0 ? unlike : 0u);
  const std::uint32_t larger = a_magnitude > b_magnitude ? a_magnitude : b_magnitude;
  const std::uint32_t at_top = sum_bits - (larger < infinity ? 1u : 0u);
  const bool finite = (sum_bits & magnitude_mask) < infinity;
  return __builtin_bit_cast(float, finite ? toward_zero : at_top);
}

/// a + b in fp32, rounded toward zero or to odd, without the rule for overflow: if the nearest sum
/// overflows, the result is an infinity, which stays one or becomes a NaN in every later sum.
template <Rounding R>
[[gnu::always_inline]] inline constexpr float add_directed(float a, float b) {
  static_assert(R == Rounding::rz || R == Rounding::odd);
  const auto [sum, error] = two_sum(a, b);
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, sum);
  if constexpr (R == Rounding::rz) {
    constexpr std::uint32_t sign_bit = 0x80000000u;
    const std::uint32_t toward_sum = __builtin_bit_cast(std::uint32_t, error) ^ (bits & sign_bit);
    const bool beyond = __builtin_isless(__builtin_bit_cast(float, toward_sum), 0.0f);
    return __builtin_bit_cast(float, bits - (beyond ? 1u : 0u));
  }
  const std::uint32_t unlike = (bits ^ __builtin_bit_cast(std::uint32_t, error)) >> 31;
  const std::uint32_t if_even = (bits & 1) - 1;
  const std::uint32_t step = (1 - 2 * unlike) & if_even;
  const bool inexact = __builtin_islessgreater(error, 0.0f);  // false for a NaN
  return __builtin_bit_cast(float, bits + (inexact ? step : 0u));
}

struct NearestAdd {
  static constexpr std::size_t steps = 8;
  static constexpr bool is_short = true;
  static constexpr bool trusts_infinity = true;
  [[gnu::always_inline]] static float operand(float x) { return x; }
  [[gnu::always_inline]] static float add(float a, float b) { return a + b; }
};
struct TowardZeroAdd {
  static constexpr bool is_short = true;
  static constexpr std::size_t steps = 2;  // a long chain, whose latency more columns hide
  static constexpr bool trusts_infinity = false;
  [[gnu::always_inline]] static float operand(float x) { return x; }
  [[gnu::always_inline]] static float add(float a, float b) {
    return add_directed<Rounding::rz>(a, b);
  }
};

/// fp32 with rare rules: flushed operands and results, rounding to odd. Below 2^-126 a sum of
/// floats is exact, so it may be flushed after rounding.
template <Rounding R>
struct GeneralAdd {
  static constexpr bool is_short = false;
  static constexpr std::size_t steps = R == Rounding::rne ? 8 : 4;
  static constexpr bool trusts_infinity = R == Rounding::rne;
  float flush_operands_below;  ///< 0: none
  float flush_below;           ///< of results

  [[gnu::always_inline]] float operand(float x) const { return flushed(x, flush_operands_below); }
  [[gnu::always_inline]] float add(float a, float b) const {
    if constexpr (R == Rounding::rne) return flushed(a + b, flush_below);
    if constexpr (R != Rounding::rne) return flushed(add_directed<R>(a, b), flush_below);
  }

 private:
  [[gnu::always_inline]] static float flushed(float x, float least) {
    constexpr std::uint32_t sign_bit = 0x80000000u;
    const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, x);
    const float magnitude = __builtin_bit_cast(float, bits & ~sign_bit);
    return __builtin_bit_cast(float, bits&(magnitude < least ? sign_bit : ~0u));
  }
};

/// A narrower accumulator: rounded to odd in fp32, then to the format, which equals one rounding.
/// Requires: at most 22 bits.
template <Rounding R>
struct NarrowAdd {
  static constexpr bool is_short = false;
  static constexpr std::size_t steps = 2;
  static constexpr bool trusts_infinity = false;
  RoundingGrid<float> grid;

  [[gnu::always_inline]] static float operand(float x) { return x; }
  [[gnu::always_inline]] float add(float a, float b) const {
    return round_to_grid<R, false>(add_directed<Rounding::odd>(a, b), grid);
  }
};

/// One float multiplication: fp32_product, exact if the exact product is a float.
struct FloatProduct {
  [[gnu::always_inline]] static float product(float a, float b) { return a * b; }
};
/// Exact float products rounded once. Requires: every product is zero or a normal float.
struct Bf16Product {
  [[gnu::always_inline]] static float product(float a, float b) { return round_to_bf16(a * b); }
};
struct Bf16CutProduct {
  [[gnu::always_inline]] static float product(float a, float b) { return truncate_to_bf16(a * b); }
};

/// A product, then an addition.
template <class Product, class Add>
struct UnfusedUnit {
  static constexpr std::size_t steps = Add::steps;
  static constexpr bool trusts_infinity = Add::trusts_infinity;
  static constexpr bool chains_only = false;
  static constexpr bool by_rows = false;
  static constexpr bool is_short = Add::is_short;
  Product products;
  Add additions;

  [[gnu::always_inline]] float operand(float x) const { return additions.operand(x); }
  [[gnu::always_inline]] float product(float a, float b) const {
    return products.product(a, additions.operand(b));
  }
  [[gnu::always_inline]] float add(float a, float b) const { return additions.add(a, b); }
  [[gnu::always_inline]] float add_product(float c, float a, float b) const {
    return additions.add(c, product(a, b));
  }
};

/// The most columns of a row per call of a unit.
inline constexpr std::size_t most_row_columns = 128;

/// How the products of a row are rounded, chosen once per matmul.
enum class RowRounding { none, bf16_rne, bf16_rz, rne, rz };

/// Rows of exact float products, kept or rounded once. Requires: every product is zero or a normal
/// float.
struct RoundedProducts {
  using Value = float;
  RowRounding how = RowRounding::none;
  RoundingGrid<float> grid{};

  [[gnu::always_inline]] static RoundedProducts of(const ProductModel& product) {
    const bool nearest = product.rounding == Rounding::rne;
    if (product.exact || (nearest && same_format(product.format, fp32))) return {};
    const RoundingGrid<float> grid = rounding_grid<float>(product.format);
    if (same_format(product.format, bf16))
      return {nearest ? RowRounding::bf16_rne : RowRounding::bf16_rz, grid};
    return {nearest ? RowRounding::rne : RowRounding::rz, grid};
  }

  /// out(x) <- a * b(x).
  [[gnu::always_inline]] void fill(float* __restrict out, float a, const float* __restrict b,
                                   std::size_t cols) const {
    const RoundingGrid<float> to = grid;  // a copy that no store can change
    const auto each = [&](auto round) __attribute__((always_inline)) {
      for (std::size_t x = 0; x < cols; ++x) out[x] = round(a * b[x]);
    };
    switch (how) {
      case RowRounding::none:
        return each([](float p) __attribute__((always_inline)) { return p; });
      case RowRounding::bf16_rne:
        return each([](float p) __attribute__((always_inline)) { return round_to_bf16(p); });
      case RowRounding::bf16_rz:
        return each([](float p) __attribute__((always_inline)) { return truncate_to_bf16(p); });
      case RowRounding::rne:
        return each([&](float p) __attribute__((always_inline)) {
          return round_to_grid<Rounding::rne, false>(p, to);
        });
      case RowRounding::rz:
        return each([&](float p) __attribute__((always_inline)) {
          return round_to_grid<Rounding::rz, false>(p, to);
        });
    }
  }
};

/// Rows of products of any operands, between 2^-298 and 2^256: exact in a double, or rounded there
/// once.
struct WideProducts {
  using Value = double;
  RowRounding how = RowRounding::none;  ///< none, rne or rz
  FinalRounding rounding{};
  float flush_operands_below = 0;
  double infinite_from = __builtin_inf();  ///< magnitude from which products are infinite

  [[gnu::always_inline]] float operand(float x) const {
    return flushed_below(flush_operands_below, x);
  }
  [[gnu::always_inline]] void fill(double* __restrict out, float a, const float* __restrict b,
                                   std::size_t cols) const {
    const WideProducts copy = *this;
    const double factor = static_cast<double>(a);
    for (std::size_t x = 0; x < cols; ++x) {
      const double exact = factor * static_cast<double>(copy.operand(b[x]));
      const double infinity = __builtin_copysign(__builtin_inf(), exact);
      out[x] = __builtin_fabs(exact) >= copy.infinite_from ? infinity : exact;
    }
    if (how == RowRounding::rne) copy.round<Rounding::rne>(out, cols);
    if (how == RowRounding::rz) copy.round<Rounding::rz>(out, cols);
  }

 private:
  template <Rounding R>
  [[gnu::always_inline]] void round(double* out, std::size_t cols) const {
    for (std::size_t x = 0; x < cols; ++x) {
      const double result = rounding.rounded<R>(out[x]);
      out[x] = __builtin_fabs(out[x]) < __builtin_inf() ? result : out[x];
    }
  }
};

/// Any addition: in a double, rounded to odd and then by the model, which equals one rounding of
/// the exact sum (arith/formats/eft.hpp). It has about a tenth of the speed of the others.
template <Rounding R>
struct WideAdd {
  static constexpr bool trusts_infinity = true;
  float flush_operands_below;
  FinalRounding rounding;

  [[gnu::always_inline]] float operand(float x) const {
    return flushed_below(flush_operands_below, x);
  }
  [[gnu::always_inline]] float add(double a, double b) const {
    return static_cast<float>(rounding.rounded<R>(sum_to_odd(a, b)));
  }
};

/// A row of products first, then their additions, for rare units and for additions so long that the
/// extra row does not matter. One loop serves all products of an addition.
template <class Products, class Add>
struct RowUnit {
  static constexpr bool is_short = false;
  static constexpr std::size_t steps = 1;
  static constexpr bool trusts_infinity = Add::trusts_infinity;
  static constexpr bool chains_only = false;
  static constexpr bool by_rows = true;
  Products products;
  Add additions;

  [[gnu::always_inline]] float operand(float x) const { return additions.operand(x); }

  template <std::size_t count>
  [[gnu::always_inline]] void chain(float* __restrict at, const float* factor,
                                    const float* const* moving, std::size_t cols) const {
    static_assert(count == 1);
    alignas(64) typename Products::Value row[most_row_columns];
    products.fill(row, factor[0], moving[0], cols);
    const Add to = additions;
    for (std::size_t x = 0; x < cols; ++x) at[x] = to.add(at[x], row[x]);
  }
  [[gnu::always_inline]] void product_row(float* __restrict out, float factor, const float* moving,
                                          std::size_t cols) const {
    alignas(64) typename Products::Value row[most_row_columns];
    products.fill(row, factor, moving, cols);
    for (std::size_t x = 0; x < cols; ++x) out[x] = static_cast<float>(row[x]);
  }
  [[gnu::always_inline]] void add_rows(float* out, const float* a, const float* b,
                                       std::size_t cols) const {
    const Add to = additions;
    for (std::size_t x = 0; x < cols; ++x) out[x] = to.add(a[x], b[x]);
  }
};

#if defined(__FMA__)
// Units for processors that fuse a product and an addition. They equal the definition for all
// operands and at both ends of the range, and change no state of the thread.

/// The common members of these units.
struct ChainUnit {
  static constexpr bool is_short = true;
  static constexpr std::size_t steps = 8;
  static constexpr bool trusts_infinity = true;
  static constexpr bool chains_only = true;
  [[gnu::always_inline]] static float operand(float x) { return x; }
};

/// fp32 rne chains of exact products: one fused instruction each.
struct FusedNearest : ChainUnit {
  static constexpr bool by_rows = false;
  [[gnu::always_inline]] static float add(float a, float b) { return a + b; }
  [[gnu::always_inline]] static float add_product(float c, float a, float b) {
    return __builtin_fmaf(a, b, c);
  }
};

#endif

#if defined(__AVX512F__)
// As above, with the rounding in the instruction.

/// Rows of 16 columns, the last one masked.
struct TowardZeroRows : ChainUnit {
  static constexpr bool by_rows = true;
  static constexpr std::size_t lanes = 16;
  static constexpr int toward_zero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

  [[gnu::always_inline]] static __mmask16 columns(std::size_t left) {
    return static_cast<__mmask16>(left < lanes ? (1u << left) - 1 : 0xffffu);
  }
  /// out(x) <- a(x) + b(x).
  static void add_rows(float* out, const float* a, const float* b, std::size_t cols) {
    for (std::size_t x = 0; x < cols; x += lanes) {
      const __mmask16 mask = columns(cols - x);
      const __m512 sum = _mm512_maskz_add_round_ps(mask, _mm512_maskz_loadu_ps(mask, a + x),
                                                   _mm512_maskz_loadu_ps(mask, b + x), toward_zero);
      _mm512_mask_storeu_ps(out + x, mask, sum);
    }
  }
};

/// fp32 rz chains of exact products.
struct FusedTowardZero : TowardZeroRows {
  /// at(x) <- at(x) + factor[s] * moving[s](x), s = 0 .. count-1 in turn.
  template <std::size_t count>
  static void chain(float* at, const float* factor, const float* const* moving, std::size_t cols) {
    for (std::size_t x = 0; x < cols; x += lanes) {
      const __mmask16 mask = columns(cols - x);
      __m512 sum = _mm512_maskz_loadu_ps(mask, at + x);
#pragma GCC unroll 8
      for (std::size_t s = 0; s < count; ++s)
        sum = _mm512_fmadd_round_ps(_mm512_set1_ps(factor[s]),
                                    _mm512_maskz_loadu_ps(mask, moving[s] + x), sum, toward_zero);
      _mm512_mask_storeu_ps(at + x, mask, sum);
    }
  }
};

/// fp32 rz chains of rounded products: a few rows of products first, then their additions.
struct RoundedTowardZero : TowardZeroRows {
  RoundedProducts products;

  template <std::size_t count>
  void chain(float* at, const float* factor, const float* const* moving, std::size_t cols) const {
    constexpr std::size_t width = 4 * lanes;
    alignas(64) float row[count][width];
    for (std::size_t first = 0; first < cols; first += width) {
      const std::size_t some = cols - first < width ? cols - first : width;
      for (std::size_t s = 0; s < count; ++s)
        products.fill(row[s], factor[s], moving[s] + first, some);
      for (std::size_t x = 0; x < some; x += lanes) {
        const __mmask16 mask = columns(some - x);
        __m512 sum = _mm512_maskz_loadu_ps(mask, at + first + x);
#pragma GCC unroll 8
        for (std::size_t s = 0; s < count; ++s)
          sum = _mm512_maskz_add_round_ps(mask, sum, _mm512_maskz_loadu_ps(mask, row[s] + x),
                                          toward_zero);
        _mm512_mask_storeu_ps(at + first + x, mask, sum);
      }
    }
  }
};

#endif

}  // namespace fftprec

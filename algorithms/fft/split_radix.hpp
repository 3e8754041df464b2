/// split-radix: radix 2 for the even outputs, radix 4 for the odd ones, n = 2^t.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/fft/fft.hpp"
#include "algorithms/fft/transpose.hpp"
#include "algorithms/theory/predictor.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// Decimation in frequency, F_n of the quarters a, b, c, d of the data, q = n/4, w = exp(-+2 pi i /
/// n), j = 0..q-1:
///   1. (a, c) <- (a + c, a - c), (b, d) <- (b + d, b - d);
///   2. (c, d) <- (c - i d, c + i d), the signs exchanged for the inverse;
///   3. c_j <- w^j c_j and d_j <- w^(3j) d_j;
///   4. X_{2k} = F_{n/2}(a, b), X_{4k+1} = F_q(c), X_{4k+3} = F_q(d);
/// F_2 is one sum and one difference. The results are in bit-reversed places; a permutation comes
/// last.
///
/// Conjugate pairs: step 3 takes conj(w^j) in place of w^(3j), so that one table suffices, and step
/// 4 gives X_{4k-1} = F_q(d), indices modulo n. The operations stay, with other factors and another
/// permutation.
///
/// Rounds: each sum of 1 and 2; in 3 the product as the arithmetic forms it. There j = 0 rounds
/// nothing, and j = n/8, where w^j = exp(-i pi/4) and w^(3j) is its cube, takes `multiply_eighth`:
/// two sums and two real products. The inverse ends with one product by fl(1/n) per part.
///
/// Operations, with 4 multiplications and 2 additions per product: C(n) = C(n/2) + 2 C(n/4) + 6 n -
/// 16 for n >= 8 (12 q sums, 2 (q - 2) products of 6, 2 of 4), C(4) = 16, C(2) = 4, C(1) = 0. So
/// C(n) = 4 n log2 n - 6 n + 8 for n >= 2. This was the least known count until rescaled factors,
/// which are not used here, lowered it to (34/9) n log2 n asymptotically (Johnson, Frigo, IEEE
/// Trans. Signal Process. 55, 2007).
///
/// Parts larger than a few hundred elements are transformed depth first, with inner loops over j.
/// Smaller parts, of two sizes, are gathered into the columns of a matrix, many at a time, with
/// inner loops over the columns. This changes no operand.
///
/// Source: Duhamel, Hollmann, Electronics Letters 20, 1984; Sorensen, Heideman, Burrus, IEEE Trans.
/// ASSP 34, 1986. Conjugate pairs: Kamar, Elcherif, Electronics Letters 25, 1989; Johnson, Frigo
/// 2007, section II.
enum class FactorPair { cubed, conjugate };

template <ArrayArithmetic Arithmetic>
class SplitRadixBy {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n, FactorPair) {
    return std::has_single_bit(n) ? "" : "split-radix needs n = 2^k, got " + std::to_string(n);
  }

  /// For each place of a part of `size` elements, the index of the result that it holds.
  static std::vector<std::size_t> results_of(std::size_t size, FactorPair pair) {
    std::vector<std::size_t> result(size);
    const auto place = [&](const auto& self, std::size_t start, std::size_t count,
                           std::size_t first, std::size_t step) -> void {
      if (count == 1) {
        result[start] = first % size;
        return;
      }
      self(self, start, count / 2, first, 2 * step);
      if (count == 2) return self(self, start + 1, 1, first + step, 2 * step);
      self(self, start + count / 2, count / 4, first + step, 4 * step);
      self(self, start + 3 * (count / 4), count / 4, first + second_result(pair, step, size),
           4 * step);
    };
    place(place, 0, size, 0, 1);
    return result;
  }

  /// Bound: B(n) = (1 + s)(1 + max(B(n/2), (1 + s)(1 + p)(1 + B(n/4)) - 1)) - 1, s of a sum and p
  /// of a product of step 3. Proof: step 1 is sqrt(2) times a unitary map to (u, v), u = (a, b),
  /// v = (c, d). X consists of X_even = F_{n/2} u and X_odd = G v, and both maps are sqrt(n/2)
  /// times unitary. Their errors lie in different places, so ||e||^2 = ||e_even||^2 + ||e_odd||^2
  /// <= max(B_even, B_odd)^2 ||X||^2, and an error of (u, v) keeps its relative size in X. G is
  /// sqrt(2) times a unitary map (step 2), then a diagonal map (step 3: p is the largest error of
  /// its elements), then two transforms of length n/4 on different places. The expected squares are
  /// means over these parts, weighted by energy.
  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            FactorPair pair) {
    ErrorModel quarter;  // of length size / 4
    ErrorModel half;     // of length size / 2
    for (std::size_t size = 2; size <= n; size *= 2) {
      const auto mark = predictor.stage(level, level_of(size, n));
      ErrorModel odd;
      ErrorModel even;
      if (size >= 4) {
        odd = predictor.stage_begun(2, 2 * n / size, size)
                  .compose(predictor.sums(1, size))
                  .compose(products(predictor, size / 4, pair));
        odd = predictor.stage_ended(odd, level_of(size, n));
        even = predictor.stage_ended(even, level_of(size, n));
      }
      odd = odd.compose(quarter.mix(quarter, 0.5));
      even = even.compose(half);
      const ErrorModel whole = predictor.stage_begun(2, n / size, 2 * size)
                                   .compose(predictor.sums(1, 2 * size))
                                   .compose(even.mix(odd, 0.5));
      quarter = half;
      half = whole;
    }
    // The engine takes all parts of one size together.
    half.cost = on_vector_engine(batch * half.cost, std::max<std::size_t>(1, batch * n / 4));
    half.table_entries = table_entries(n, pair);
    half.theorem = "split-radix-stages";
    half = predictor.in_frequency(half);
    const auto mark = predictor.stage(norm_scaling, level_of(1, n));
    return half.compose(predictor.reorder()).compose(predictor.scale(n, batch * n));
  }

  /// Throws InputError unless n is a power of two.
  SplitRadixBy(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots,
               FactorPair pair)
      : n_(n), dft_(dft), pair_(pair) {
    require(unsupported(n, pair).empty(), unsupported(n, pair));
    constexpr int largest_small = 8;
    small_ = std::size_t{1} << std::min(largest_small, (std::countr_zero(n) + 1) / 2);
    collect_small(0, n, 0);
    for (SmallParts& parts : small_parts_)
      std::sort(parts.places.begin(), parts.places.end(),
                [](const Place& a, const Place& b) { return a.result < b.result; });
    if (n < 8) return;
    for (const bool second : {false, true})
      factors_[second] = arithmetic.factors({n / 2,
                                             [power = power_of(pair, second)](std::size_t i) {
                                               const std::size_t quarter =
                                                   std::bit_floor(std::max<std::size_t>(i, 1));
                                               return root(quarter, power, i - quarter);
                                             },
                                             {}},
                                            direction_of(second), roots);
    eighth_ = arithmetic.eighth_factor(roots);
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    ComplexArray<Real> data(n_);
    ComplexArray<Real> block(small_ * block_cols);
    for (std::size_t first = 0; first < x.size(); first += n_) {
      const View<Real> result{x.re.data() + first, x.im.data() + first, 1, n_, n_};
      const View<Real> whole = view_of(data, 1, n_);
      copy(result, whole);
      transform_part<Along::cols>(arithmetic, whole, n_, 2 * small_);
      for (const SmallParts& parts : small_parts_)
        for (std::size_t g = 0; g < parts.places.size(); g += block_cols)
          transform_small(arithmetic, whole, parts, g, block, result);
    }
    const auto mark = arithmetic.stage(norm_scaling, level_of(1, n_));
    arithmetic.scale(view_of(x, x.size() / n_, n_), dft_, n_);
  }

 private:
  /// The place where a part starts in the data, and the index of its first result.
  struct Place {
    std::size_t start;
    std::size_t result;
  };
  /// Parts of one size, ordered so that neighbouring parts have neighbouring results.
  struct SmallParts {
    std::size_t size = 0;
    std::vector<std::size_t> results{};  ///< result of each place of a part, in steps of n/size
    std::vector<Place> places{};
  };

  /// Whether a part lies along a row, or down the rows of a matrix with independent columns.
  enum class Along { cols, rows };

  static constexpr std::size_t block_cols = 64;

  /// The name of a stage: steps 1 to 3 on all parts of one size; after the last, the scaling.
  static constexpr std::string_view level = "level #";
  static std::size_t level_of(std::size_t size, std::size_t n) {
    return static_cast<std::size_t>(std::countr_zero(n) - std::countr_zero(size)) + 1;
  }

  static RootIndex root(std::size_t quarter, std::size_t power, std::size_t j) {
    return {power * j, 4 * quarter};
  }

  static std::size_t table_entries(std::size_t n, FactorPair pair) {
    return n < 8 ? 0 : pair == FactorPair::cubed ? n : n / 2;
  }

  /// The factors of quarter c, or of quarter d if `second`: w^power, and the direction that gives
  /// their sign.
  static constexpr std::size_t power_of(FactorPair pair, bool second) {
    return second && pair == FactorPair::cubed ? 3 : 1;
  }
  Direction direction_of(bool second) const {
    const bool turned = second && pair_ == FactorPair::conjugate;
    return (dft_.direction == Direction::forward) != turned ? Direction::forward
                                                            : Direction::inverse;
  }

  /// The index, modulo n, of the first result of F_q(d), if F_q(c) begins at `step`.
  static std::size_t second_result(FactorPair pair, std::size_t step, std::size_t n) {
    return pair == FactorPair::cubed ? 3 * step : n - step;
  }

  /// Step 3 on the two quarters. Their places 0 and q/2 take no factor from a table.
  static ErrorModel products(const Predictor& predictor, std::size_t quarter, FactorPair pair) {
    if (quarter < 2) return {};
    const double places = static_cast<double>(quarter);
    ErrorModel taken = predictor.eighth(1, 2);
    if (quarter > 2) {
      const auto general = [&](std::size_t power) {
        const TableSpec factors{
            quarter - 2,
            [=](std::size_t i) { return root(quarter, power, i + (i + 1 < quarter / 2 ? 1 : 2)); },
            {0.25 * static_cast<double>(power), power * quarter}};
        return predictor.product(factors, 1, quarter - 2);
      };
      taken = general(1).mix(general(power_of(pair, true)), 0.5).mix(taken, 1 / (places - 1));
    }
    return taken.mix({}, 1 / places);
  }

  template <Along along>
  static View<Real> part(View<Real> x, std::size_t first, std::size_t count) {
    if constexpr (along == Along::rows) return x.middle_rows(first, count);
    return x.middle_cols(first, count);
  }

  /// Transforms a part of `size` elements, down to parts smaller than `smallest`.
  template <Along along>
  void transform_part(const Arithmetic& arithmetic, View<Real> x, std::size_t size,
                      std::size_t smallest) const {
    if (size < smallest) return;
    const std::size_t quarter = size / 4;
    {
      const auto mark = arithmetic.stage(level, level_of(size, n_));
      arithmetic.begin_stage(x, 2, n_ / size);
      if (size == 2) return arithmetic.sum_difference(part<along>(x, 0, 1), part<along>(x, 1, 1));
      // Steps 1 to 3 finish one chunk of places, in cache, before the next.
      constexpr std::size_t chunk = 512;
      for (std::size_t j = 0; j < quarter; j += chunk)
        combine<along>(arithmetic, x, quarter, j, std::min(j + chunk, quarter));
      arithmetic.end_stage(x, level_of(size, n_));
    }
    transform_part<along>(arithmetic, part<along>(x, 0, 2 * quarter), 2 * quarter, smallest);
    transform_part<along>(arithmetic, part<along>(x, 2 * quarter, quarter), quarter, smallest);
    transform_part<along>(arithmetic, part<along>(x, 3 * quarter, quarter), quarter, smallest);
  }

  /// Steps 1 to 3 on the places [begin, end) of each quarter.
  template <Along along>
  void combine(const Arithmetic& arithmetic, View<Real> x, std::size_t quarter, std::size_t begin,
               std::size_t end) const {
    const auto places = [&](std::size_t of, std::size_t from, std::size_t to) {
      return part<along>(x, of * quarter + from, to - from);
    };
    const View<Real> c = places(2, begin, end);
    const View<Real> d = places(3, begin, end);
    arithmetic.sum_difference(places(0, begin, end), c);
    arithmetic.sum_difference(places(1, begin, end), d);
    for (const View<Real>& odd : {c, d}) arithmetic.begin_stage(odd, 2, n_ / (2 * quarter));
    arithmetic.rotated(c, d, dft_);
    const auto multiply = [&](std::size_t from, std::size_t to) {
      if (from >= to) return;
      constexpr std::size_t row_step = along == Along::rows ? 1 : 0;
      for (const std::size_t i : {0u, 1u})
        arithmetic.multiply(places(2 + i, from, to),
                            factors_[i].view(quarter + from, row_step, 1 - row_step));
    };
    const std::size_t middle = quarter / 2;
    multiply(std::max<std::size_t>(begin, 1), std::min(end, middle));
    multiply(std::max(begin, middle + 1), end);
    if (middle == 0 || middle < begin || middle >= end) return;
    arithmetic.multiply_eighth(places(2, middle, middle + 1), eighth_, false, dft_);
    arithmetic.multiply_eighth(places(3, middle, middle + 1), eighth_, pair_ == FactorPair::cubed,
                               direction_of(true));
  }

  /// Collects the parts of size `small_`, or half of it, at which the recursion ends.
  void collect_small(std::size_t start, std::size_t size, std::size_t result) {
    if (size <= small_) {
      SmallParts& parts = small_parts_[size == small_ ? 0 : 1];
      if (parts.size == 0) parts.results = results_of(size, pair_);
      parts.size = size;
      parts.places.push_back({start, result % n_});
      return;
    }
    const std::size_t step = n_ / size;
    collect_small(start, size / 2, result);
    collect_small(start + size / 2, size / 4, result + step);
    collect_small(start + 3 * (size / 4), size / 4, result + second_result(pair_, step, n_));
  }

  /// Transforms up to `block_cols` parts from `first` on, and puts them into the result.
  void transform_small(const Arithmetic& arithmetic, View<Real> data, const SmallParts& parts,
                       std::size_t first, ComplexArray<Real>& block, View<Real> result) const {
    const std::size_t count = std::min(block_cols, parts.places.size() - first);
    const View<Real> columns{block.re.data(), block.im.data(), parts.size, count, block_cols};
    const Place* place = parts.places.data() + first;
    constexpr std::size_t tile = 16;
    for (std::size_t i0 = 0; i0 < parts.size; i0 += tile)
      for (std::size_t g = 0; g < count; ++g)
        for (std::size_t i = i0; i < std::min(i0 + tile, parts.size); ++i) {
          columns.re[i * block_cols + g] = data.re[place[g].start + i];
          columns.im[i * block_cols + g] = data.im[place[g].start + i];
        }
    transform_part<Along::rows>(arithmetic, columns, parts.size, 2);
    for (std::size_t i = 0; i < parts.size; ++i) {
      const std::size_t first_result = parts.results[i] * (n_ / parts.size);
      for (std::size_t g = 0; g < count; ++g) {
        const std::size_t to = (first_result + place[g].result) & (n_ - 1);
        result.re[to] = columns.re[i * block_cols + g];
        result.im[to] = columns.im[i * block_cols + g];
      }
    }
  }

  std::size_t n_;
  std::size_t small_;
  Dft dft_;
  FactorPair pair_;
  std::array<SmallParts, 2> small_parts_;
  /// w^j, and w^(3j) or conj(w^j). A part of 4 q elements has the entries [q, 2q); entry 0 is not
  /// used.
  std::array<typename Arithmetic::Table, 2> factors_;
  typename Arithmetic::Table eighth_;
};

template <ArrayArithmetic Arithmetic>
using SplitRadix = With<SplitRadixBy, Arithmetic, FactorPair::cubed>;
template <ArrayArithmetic Arithmetic>
using ConjugatePair = With<SplitRadixBy, Arithmetic, FactorPair::conjugate>;

}  // namespace fftprec

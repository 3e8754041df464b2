/// The radix-2 FFTs, n = 2^t: radix2-dit, decimation in time, and radix2-dif, decimation in
/// frequency; and the parts that `recursive` shares with them.
#pragma once

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/fft/bit_reversal.hpp"
#include "algorithms/fft/fft.hpp"
#include "algorithms/fft/transpose.hpp"
#include "algorithms/theory/predictor.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// The factors of the stage that combines elements at distance `half`: exp(-2 pi i j / (2 half)) at
/// place j of a group.
inline TableSpec radix2_stage(std::size_t half) {
  return {half, [half](std::size_t j) { return RootIndex{j, 2 * half}; }, {0.5, half}};
}

/// The factors of all stages of length n from distance `base` on. The stage at distance h has the
/// entries [h, 2h). Entries below `base` are not used.
inline TableSpec radix2_factors(std::size_t n, std::size_t base = 1) {
  return {n,
          [base](std::size_t i) {
            const std::size_t half = base * std::bit_floor(std::max<std::size_t>(i / base, 1));
            return RootIndex{i < half ? 0 : i - half, 2 * half};
          },
          {0.5, n / 2}};
}

/// The format of roots that are divided by each other, if the quotients are rounded to `format`. It
/// has 50 digits, since an analysis by source takes roots in fp64 as exact.
inline Format parts_of_quotients(const Format& format) {
  return format == fp64 ? fp64 : Format{50, -450, 450};
}

/// The name of a stage.
inline constexpr std::string_view radix2_butterflies = "butterflies, stage #";
/// The number of the stage in time with butterflies at distance `half`; half = n is the number
/// after the last stage.
inline std::size_t radix2_number(std::size_t half) {
  return static_cast<std::size_t>(std::countr_zero(half)) + 1;
}

/// The share of the sums of a stage, of those with products before it, whose data met no product
/// but by 1 and -i. In time two of `near` butterflies, in frequency what was a sum in all stages.
inline double share_without_product(std::size_t near, bool in_frequency) {
  if (near < (in_frequency ? 2 : 4)) return 0;
  return (in_frequency ? 1.0 : 2.0) / static_cast<double>(near);
}

/// Stages with n/2 butterflies each, in time or in frequency: half of a stage's inputs, or half of
/// its outputs, are multiplied. `done` is the model of the transforms of `base` elements that come
/// before; they are a stage if base > 1. In frequency the stages come in the other order, and their
/// products after their sums. This matters to absolute errors, in fixed point and below the normal
/// numbers, and to stages that are exact.
inline ErrorModel predict_radix2(const Predictor& predictor, std::size_t n, std::size_t batch,
                                 ErrorModel done = {}, std::size_t base = 1,
                                 bool in_frequency = false) {
  const std::size_t before = base > 1 ? 1 : 0;
  ErrorModel result = std::move(done);
  double exact_sums = 0;  // variance that sums do not have where data are short
  for (std::size_t near = base; near < n; near *= 2) {
    const std::size_t half = in_frequency ? n / 2 / near : near;
    const std::size_t stage = radix2_number(near / base);
    const auto mark = predictor.stage(radix2_butterflies, stage + before);
    if (near == base) result = predictor.stored(result);
    const ErrorModel product = predictor.product(radix2_stage(half), 0.5, batch * (n / 2));
    const ErrorModel sums = predictor.sums(1, 2 * batch * n);
    exact_sums += share_without_product(near, in_frequency) * sums.variance_unless_fp32;
    result = result.compose(predictor.stage_begun(2, near, batch * n))
                 .compose(in_frequency ? sums : product)
                 .compose(in_frequency ? product : sums);
    if (2 * near < n) result = predictor.stage_ended(result, stage);
  }
  if (base == 1) result.variance_unless_fp32 += exact_sums;
  if (in_frequency) result = predictor.in_frequency(std::move(result));
  if (n > base || base == 1) result.theorem = "radix2-stages";
  const auto mark = predictor.stage(norm_scaling, radix2_number(n / base) + before);
  return result.compose(predictor.reorder()).compose(predictor.scale(n / base, batch * n));
}

/// All stages that combine whole rows of x. Rows at distance d hold elements at distance
/// d * spacing. Element (j, c) of a group's upper half is multiplied by the factor of place
/// j * spacing + c * col_step. `first` is the place of x in the batch of lines of n.
///
/// All stages finish one block of columns, which stays in cache, before the next block begins. This
/// changes no operand of a butterfly.
template <Decimation decimation, ArrayArithmetic Arithmetic>
void combine_rows(const Arithmetic& arithmetic, View<typename Arithmetic::Real> x,
                  const typename Arithmetic::Table& factors, std::size_t spacing,
                  std::size_t col_step, std::size_t first, std::size_t n) {
  // 64 columns of 1024 rows stay in a second-level cache of 1 MiB.
  const std::size_t block_cols = arithmetic.stage_cols(x.cols, 64);
  const auto stage = [&](auto block, std::size_t half, std::size_t col) {
    const std::size_t distance = half * spacing;
    const std::size_t number = decimation == Decimation::in_time
                                   ? radix2_number(distance)
                                   : radix2_number(n) - radix2_number(distance);
    const auto mark = arithmetic.stage(radix2_butterflies, number);
    const auto w = factors.view(half * spacing + col * col_step, spacing, col_step);
    arithmetic.begin_stage(block, 2, std::size_t{1} << (number - 1));
    for (std::size_t group = 0; group < x.rows; group += 2 * half) {
      const auto top = block.middle_rows(group, half);
      const auto bottom = block.middle_rows(group + half, half);
      if constexpr (decimation == Decimation::in_time)
        arithmetic.butterfly(top, bottom, w);
      else
        arithmetic.butterfly_dif(top, bottom, w);
    }
    const Places place =
        col_step == 0 ? Places{1, x.rows, first + col * x.rows} : Places{x.cols, 1, first + col};
    if (number + 1 < radix2_number(n)) arithmetic.end_stage(block, number, n, place);
    mark.leaves(block, place);
  };
  for (std::size_t col = 0; col < x.cols; col += block_cols) {
    const auto block = x.middle_cols(col, std::min(block_cols, x.cols - col));
    if constexpr (decimation == Decimation::in_time)
      for (std::size_t half = 1; half < x.rows; half *= 2) stage(block, half, col);
    else
      for (std::size_t half = x.rows / 2; half > 0; half /= 2) stage(block, half, col);
  }
}

/// Rows whose distance in memory is a power of two, `crowded_cols` elements or more, compete for a
/// few sets of every cache. A gap of `row_gap` elements between rows avoids it.
constexpr std::size_t crowded_cols = 512;
constexpr std::size_t row_gap = 16;

/// In time: bit reversal, then stages with half = 1, 2, ..., n/2. In frequency: stages with half =
/// n/2, ..., 1, then bit reversal. Elements at distance `half` within groups of 2 half are combined
/// as Decimation says, w = exp(-+2 pi i j / (2 half)), j the place of a in its group. Every
/// butterfly takes its product, the trivial factors 1 and -i included.
///
/// Rounds: per butterfly the product as the arithmetic forms it (fp32: 4 products and 2 sums) and 4
/// sums; the inverse ends with one product by fl(1/n) per part. n/2 log2 n butterflies in all. Both
/// do the same operations but give different bits: in time a rounded product is added, in frequency
/// a rounded difference is multiplied; and the factors of all n/2 angles are in the last stage in
/// time, in the first in frequency. Both have one bound, since it is made stage by stage.
///
/// The stages run in an order that keeps the inner loop long and the data in cache. This changes no
/// operand of a butterfly. With n = rows * cols, stages at distances below `rows` work on a
/// rows x cols matrix with independent columns, the others on its transpose, both in blocks of
/// columns.
///
/// Source, in frequency: Gentleman, Sande, AFIPS Fall Joint Computer Conference 1966.
template <Decimation decimation, ArrayArithmetic Arithmetic>
class Radix2 {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n) {
    const std::string name = decimation == Decimation::in_time ? "radix2-dit" : "radix2-dif";
    return std::has_single_bit(n) ? "" : name + " needs n = 2^k, got " + std::to_string(n);
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch) {
    return predict_radix2(predictor, n, batch, {}, 1, decimation == Decimation::in_frequency);
  }

  /// Throws InputError unless n is a power of two.
  Radix2(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots)
      : n_(n), dft_(dft) {
    require(unsupported(n).empty(), unsupported(n));
    rows_ = std::size_t{1} << (std::countr_zero(n) / 2);
    reversed_ = bit_reversals(cols());
    factors_ = arithmetic.factors(radix2_factors(n), dft, roots);
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    if (const std::size_t batch = x.size() / n_; arithmetic.stage_lines(batch, 1) > 1)
      return side_by_side(arithmetic, x, batch);
    const std::size_t gap = rows_ >= crowded_cols ? row_gap : 0;
    ComplexArray<Real> work(n_ + gap * cols());
    const View<Real> columns{work.re.data(), work.im.data(), rows_, cols(), cols() + gap};
    const View<Real> rows{work.re.data(), work.im.data(), cols(), rows_, rows_ + gap};
    const auto combine_far = [&](const View<Real>& data, std::size_t first) {
      if (gap == 0)
        return combine_rows<decimation>(arithmetic, data, factors_, rows_, 1, first, n_);
      copy(data, rows);
      combine_rows<decimation>(arithmetic, rows, factors_, rows_, 1, first, n_);
      copy(rows, data);
    };
    for (std::size_t first = 0; first < x.size(); first += n_) {
      const View<Real> data{x.re.data() + first, x.im.data() + first, cols(), rows_, rows_};
      if constexpr (decimation == Decimation::in_time) {
        gather_bit_reversed(data, columns, reversed_);
        combine_rows<decimation>(arithmetic, columns, factors_, 1, 0, first, n_);
        transpose(columns, data);
        combine_far(data, first);
      } else {
        combine_far(data, first);
        transpose(data, columns);
        combine_rows<decimation>(arithmetic, columns, factors_, 1, 0, first, n_);
        scatter_bit_reversed(columns, data, reversed_);
      }
    }
    scale(arithmetic, x);
  }

 private:
  void scale(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const auto mark = arithmetic.stage(norm_scaling, radix2_number(n_));
    arithmetic.scale(view_of(x, x.size() / n_, n_), dft_, n_);
  }

  /// As transform, with each transform in a column: a stage works on all of them at once.
  void side_by_side(const Arithmetic& arithmetic, ComplexArray<Real>& x, std::size_t batch) const {
    ComplexArray<Real> work(x.size());
    const bool in_time = decimation == Decimation::in_time;
    const auto each = [&](bool reverses, auto move) {
      for (std::size_t item = 0; item < batch; ++item)
        for (std::size_t j = 0; j < n_; ++j)
          move(j * batch + item, item * n_ + (reverses ? bit_reversed(j, n_) : j));
    };
    each(in_time, [&](std::size_t at, std::size_t from) { put(work, at, x, from); });
    combine_rows<decimation>(arithmetic, view_of(work, n_, batch), factors_, 1, 0, 0, n_);
    each(!in_time, [&](std::size_t at, std::size_t to) { put(x, to, work, at); });
    scale(arithmetic, x);
  }

  std::size_t cols() const { return n_ / rows_; }

  std::size_t n_;
  std::size_t rows_;
  Dft dft_;
  std::vector<std::size_t> reversed_;  ///< the bit reversal of every column
  typename Arithmetic::Table factors_;
};

template <ArrayArithmetic Arithmetic>
using Radix2Dit = Radix2<Decimation::in_time, Arithmetic>;
template <ArrayArithmetic Arithmetic>
using Radix2Dif = Radix2<Decimation::in_frequency, Arithmetic>;

}  // namespace fftprec

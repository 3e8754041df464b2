/// One stage of a Stockham FFT: products with factors, small DFTs, and the move that sorts.
#pragma once

#include <algorithm>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/fft/dft_gemm.hpp"
#include "algorithms/fft/radix_plan.hpp"
#include "algorithms/fft/transpose.hpp"
#include "algorithms/theory/predictor.hpp"

namespace fftprec {

/// The stage (L, r, M) -> (r, L, M) that stockham.hpp defines, on every column of a matrix.
template <ArrayArithmetic Arithmetic>
class StockhamStage {
 public:
  using Real = typename Arithmetic::Real;
  using Table = typename Arithmetic::Table;

  /// The factors of rows k = 1..r-1: entry (k-1) L + l. Angles are usually taken times l, then k.
  static TableSpec factor_spec(std::size_t radix, std::size_t done) {
    const std::size_t largest = (radix - 1) * (done - 1);
    const std::size_t order = radix * done;
    return {(radix - 1) * done,
            [=](std::size_t i) {
              return RootIndex{i % done, i / done + 1, order, usual};
            },
            {static_cast<double>(largest) / static_cast<double>(order), largest, usual}};
  }

  /// W(k, j) for k, j = 1..r-1, the part of the DFT matrix that is not 1; row-major, k the index
  /// that is summed over and by which the angle is usually multiplied first.
  static TableSpec core_spec(std::size_t radix) {
    const std::size_t size = radix - 1;
    const auto largest = static_cast<double>(size * size);
    return {size * size,
            [=](std::size_t i) {
              return RootIndex{i / size + 1, i % size + 1, radix, usual};
            },
            {largest / static_cast<double>(radix), size, usual}};
  }

  /// A stage of `batch` transforms of length n; `done` is L.
  static Prediction predict(const Predictor& predictor, const RadixStage& stage, std::size_t done,
                            std::size_t n, std::size_t batch) {
    const std::size_t radix = stage.radix;
    const std::uint64_t vectors = batch * (n / radix);
    const Prediction dft = predict_dft(predictor, stage, vectors);
    if (done == 1) return dft;
    const double share = static_cast<double>(radix - 1) / static_cast<double>(radix);
    return predictor.product(factor_spec(radix, done), share, vectors * (radix - 1)).then(dft);
  }

  /// `last`: no other stage follows.
  StockhamStage(const Arithmetic& arithmetic, const RadixStage& stage, std::size_t done, bool last,
                Direction direction, const RootFunction& roots)
      : stage_(stage), done_(done), last_(last), direction_(direction) {
    if (done > 1) factors_ = arithmetic.factors(factor_spec(stage.radix, done), direction, roots);
    if (stage.dft == SmallDft::matrix_product)
      matrix_ = arithmetic.matrix(DftGemm<Arithmetic>::matrix_spec(stage.radix, usual), stage.radix,
                                  direction, roots);
    if (stage.dft == SmallDft::vector_product)
      matrix_ = arithmetic.factors(core_spec(stage.radix), direction, roots);
  }

  std::size_t radix() const { return stage_.radix; }

  /// The result of the stage is what a matrix product delivers.
  bool leaves_engine_format() const { return last_ && stage_.dft == SmallDft::matrix_product; }

  /// out <- the stage on every column of x; x is used up. Both are packed.
  /// The L rows of factors are `groups` values, each of them L / groups. That is one factor for a
  /// whole row if L = groups; else the factors vary along the columns of x, of which the first
  /// takes place `column`.
  void transform(const Arithmetic& arithmetic, std::size_t groups, std::size_t column, View<Real> x,
                 View<Real> out) const {
    const std::size_t length = x.rows * x.cols / (groups * radix());
    for (std::size_t group = 0; group < groups; ++group) {
      const std::size_t from = group * radix() * length;
      const View<Real> in{x.re + from, x.im + from, radix(), length, length};
      const std::size_t to = group * length;
      const View<Real> result{out.re + to, out.im + to, radix(), length, groups * length};
      const bool varies = groups != done_;
      const Factors factors{.first = group * (done_ / groups) + column,
                            .width = varies ? x.cols : length,
                            .step = varies ? std::size_t{1} : std::size_t{0}};
      switch (stage_.dft) {
        case SmallDft::sums:
          if (radix() == 2)
            butterflies(arithmetic, factors, in, result);
          else
            sums_of_four(arithmetic, factors, in, result);
          break;
        case SmallDft::matrix_product:
          multiply(arithmetic, factors, in);
          matrix_product(arithmetic, in, result);
          break;
        case SmallDft::vector_product:
          multiply(arithmetic, factors, in);
          vector_product(arithmetic, in, result);
          break;
      }
    }
  }

 private:
  static constexpr AngleOrder usual = AngleOrder::row_column;

  /// Where the factors of a group stand, and how long the rows are that they serve.
  struct Factors {
    std::size_t first;
    std::size_t width;
    std::size_t step;
  };

  static Prediction predict_dft(const Predictor& predictor, const RadixStage& stage,
                                std::uint64_t vectors) {
    const std::size_t radix = stage.radix;
    switch (stage.dft) {
      case SmallDft::sums:
        return radix == 2 ? predictor.sums(1, 4 * vectors) : predictor.sums(2, 16 * vectors);
      case SmallDft::matrix_product:
        return predictor.gemm(DftGemm<Arithmetic>::matrix_spec(radix, usual), radix, vectors);
      case SmallDft::vector_product:
        break;
    }
    return predictor.dft_core(core_spec(radix), radix, vectors);
  }

  /// Row k of x as rows of `width` elements, each of which takes the same factors.
  static View<Real> row(View<Real> x, std::size_t k, std::size_t width) {
    const std::size_t at = k * x.stride;
    return {x.re + at, x.im + at, x.cols / width, width, width};
  }

  FactorView<Real> factors_of_row(std::size_t k, const Factors& factors) const {
    return factors_.view((k - 1) * done_ + factors.first, 0, factors.step);
  }

  void multiply(const Arithmetic& arithmetic, const Factors& factors, View<Real> x) const {
    if (done_ == 1) return;
    for (std::size_t k = 1; k < radix(); ++k)
      arithmetic.multiply(row(x, k, factors.width), factors_of_row(k, factors));
  }

  /// Product and sums of r = 2 in one operation: the same roundings.
  void butterflies(const Arithmetic& arithmetic, const Factors& factors, View<Real> x,
                   View<Real> out) const {
    copy(x, out);
    const View<Real> top = row(out, 0, factors.width);
    const View<Real> bottom = row(out, 1, factors.width);
    if (done_ == 1)
      arithmetic.sum_difference(top, bottom);
    else
      arithmetic.butterfly(top, bottom, factors_of_row(1, factors));
  }

  void sums_of_four(const Arithmetic& arithmetic, const Factors& factors, View<Real> x,
                    View<Real> out) const {
    multiply(arithmetic, factors, x);
    const auto row_of = [](View<Real> view, std::size_t k) { return view.middle_rows(k, 1); };
    constexpr std::size_t pairs_side_by_side[] = {0, 2, 1, 3};
    for (std::size_t k = 0; k < 4; ++k) copy(row_of(x, pairs_side_by_side[k]), row_of(out, k));
    arithmetic.sum_difference(row_of(out, 0), row_of(out, 1));
    arithmetic.sum_difference(row_of(out, 2), row_of(out, 3));
    arithmetic.sum_difference(row_of(out, 0), row_of(out, 2));
    arithmetic.rotated(row_of(out, 1), row_of(out, 3), direction_);
  }

  void matrix_product(const Arithmetic& arithmetic, View<Real> x, View<Real> out) const {
    if (x.cols == 1 && out.stride == 1)  // along the only direction that is long
      arithmetic.gemm({out.re, out.im, 1, radix(), radix()}, {x.re, x.im, 1, radix(), radix()},
                      matrix_);
    else
      arithmetic.gemm_columns(out, matrix_, x);
    if (!last_) arithmetic.store_product(out);
  }

  void vector_product(const Arithmetic& arithmetic, View<Real> x, View<Real> out) const {
    const View<Real> others = x.middle_rows(1, radix() - 1);
    const View<Real> sum = out.middle_rows(0, 1);
    for (std::size_t j = 0; j < radix(); ++j) copy(x.middle_rows(0, 1), out.middle_rows(j, 1));
    for (std::size_t k = 1; k < radix(); ++k) arithmetic.add(sum, sum, x.middle_rows(k, 1));
    arithmetic.accumulate_columns(out.middle_rows(1, radix() - 1), matrix_.view(0, radix() - 1, 1),
                                  others);
  }

  RadixStage stage_;
  std::size_t done_;  ///< L
  bool last_;
  Direction direction_;
  Table factors_;
  Table matrix_;
};

}  // namespace fftprec

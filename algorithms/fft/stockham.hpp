/// Autosort (Stockham) FFTs: one engine for every plan of radices.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/fft/dft_gemm.hpp"
#include "algorithms/fft/fft.hpp"
#include "algorithms/fft/radix_plan.hpp"
#include "algorithms/fft/transpose.hpp"
#include "algorithms/theory/predictor.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// The stage (L, r, M) -> (r, L, M) of Stockham, on every column of a matrix.
template <ArrayArithmetic Arithmetic>
class StockhamStage {
 public:
  using Real = typename Arithmetic::Real;
  using Table = typename Arithmetic::Table;

  /// The factors of rows k = 1..r-1: entry (k-1) L + l. An angle is usually multiplied by l, then
  /// k.
  static TableSpec factor_spec(std::size_t radix, std::size_t done) {
    const std::size_t largest = (radix - 1) * (done - 1);
    const std::size_t order = radix * done;
    return {(radix - 1) * done,
            [=](std::size_t i) {
              return RootIndex{i % done, i / done + 1, order, usual};
            },
            {static_cast<double>(largest) / static_cast<double>(order), largest, usual}};
  }

  /// W(k, j) for k, j = 1..r-1, the part of the DFT matrix that is not 1, row-major. The product
  /// sums over k, and the angle is usually multiplied by k first.
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
  static ErrorModel predict(const Predictor& predictor, const RadixStage& stage, std::size_t done,
                            std::size_t n, std::size_t batch) {
    const std::size_t radix = stage.radix;
    const std::uint64_t vectors = batch * (n / radix);
    const ErrorModel dft = predict_dft(predictor, stage, vectors);
    if (done == 1) return dft;
    const double share = static_cast<double>(radix - 1) / static_cast<double>(radix);
    return predictor.product(factor_spec(radix, done), share, vectors * (radix - 1)).compose(dft);
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

  /// Whether the result stays in the format that a matrix product delivers.
  bool leaves_engine_format() const { return last_ && stage_.dft == SmallDft::matrix_product; }

  /// out <- the stage on every column of x; x is used up. Both are packed.
  /// The L factors of a row k are cut into `groups` of L / groups. If L = groups, one factor serves
  /// a whole row; else factors vary along the columns of x, and the first column takes the one at
  /// place `column` of its group.
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

  /// Where the factors of a group start, and the length of their rows.
  struct Factors {
    std::size_t first;
    std::size_t width;
    std::size_t step;
  };

  static ErrorModel predict_dft(const Predictor& predictor, const RadixStage& stage,
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

  /// Row k of x, cut into rows of `width` elements that all take equal factors.
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

  /// Product and sums of r = 2 in one operation, with unchanged roundings.
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
    if (x.cols == 1 && out.stride == 1)  // along the only long direction
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

/// Stages of radix r in the order of the plan. Before a stage the data are an array (L, r, M), with
/// L the product of the earlier radices (1 at first) and M = n / (L r). The stage
/// 1. multiplies element (l, k, m) by exp(-+2 pi i l k / (L r)), k l not reduced;
/// 2. replaces the r elements over k by their DFT;
/// 3. moves (L, r, M) to (r, L, M), which is the next stage's (L', r', M').
/// Row k = 0 and the first stage have only factors 1 and take no product. (A product with 1 would
/// change bits only in the split modes, which cut the data to words.) Every other element takes its
/// product, also for l = 0, where the factor is 1. After a stage, element (l, m) is the DFT of
/// x[m], x[m + M], ... at frequency l, so the result is in natural order.
///
/// The small DFTs:
/// - sums, r = 2: x0 +- x1; r = 4: (x0 + x2) +- (x1 + x3) and (x0 - x2) -+ i (x1 - x3);
/// - matrix product: gemm's sums with W(k, j) = exp(-+2 pi i kj / r), kj not reduced; its result is
///   rounded to the storage format before a next stage;
/// - vector product: y0 = x0 + x1 + ... from the left; yj = x0, then += W(k, j) xk for k = 1..r-1.
/// The inverse conjugates all tables and ends with one product by fl(1/n) per part. Conjugating
/// input and output instead would give equal values, except for signs of zeros, where roundings are
/// symmetric in sign (to nearest, toward zero; not toward an infinity).
///
/// The first stages, whose radices multiply to R, run on blocks of columns of x as an R x n/R
/// matrix, the others on blocks of columns of the transposed result. Blocks stay in cache, and
/// inner loops run along their columns. This changes no operand.
///
/// Source: Cochran et al., What is the fast Fourier transform, Proc. IEEE 55 (1967), 1664-1674, for
/// Stockham's autosort form; Van Loan, Computational Frameworks for the FFT (1992), section 1.7.
template <ArrayArithmetic Arithmetic>
class Stockham {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n, PlanRadices plan_radices) {
    return plan_radices(n).unsupported;
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            PlanRadices plan_radices) {
    ErrorModel result{.theorem = "stockham-stages"};
    const RadixPlan plan = plan_radices(n);
    std::size_t done = 1;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
      const RadixStage& stage = plan.stages[i];
      const auto mark = predictor.stage(numbered, i + 1);
      result = result.compose(predictor.stage_begun(stage.radix, done, batch * n))
                   .compose(StockhamStage<Arithmetic>::predict(predictor, stage, done, n, batch))
                   .compose(predictor.reorder());
      done *= stage.radix;
      if (done < n) result = predictor.stage_ended(result, i + 1);
    }
    const auto mark = predictor.stage(norm_scaling, plan.stages.size() + 1);
    if (result.output == ErrorModel::Output::engine)
      return result.compose(predictor.scale_product(n, batch * n));
    return result.compose(predictor.scale(n, batch * n));
  }

  /// Throws InputError if the plan does not support n.
  Stockham(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots,
           PlanRadices plan_radices)
      : n_(n), dft_(dft) {
    const RadixPlan plan = plan_radices(n);
    require(plan.unsupported.empty(), plan.unsupported);
    std::size_t done = 1;
    for (const RadixStage& stage : plan.stages) {
      const bool last = done * stage.radix == n;
      stages_.emplace_back(arithmetic, stage, done, last, dft, roots);
      done *= stage.radix;
    }
    for (std::size_t rows = 1; early_ < stages_.size(); ++early_) {
      const std::size_t more = rows * stages_[early_].radix();
      if (early_ > 0 && std::max(more, n / more) >= std::max(rows, n / rows)) break;
      rows_ = rows = more;
    }
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t batch = x.size() / n_;
    const std::size_t together =
        arithmetic.stage_lines(batch, std::max<std::size_t>(1, block_size / n_));
    if (rows_ == n_ || together > std::min(rows_, cols()) || arithmetic.stage_lines(batch, 1) > 1)
      side_by_side(arithmetic, x, together);
    else
      one_by_one(arithmetic, x);
    const auto mark = arithmetic.stage(norm_scaling, stages_.size() + 1);
    if (!stages_.empty() && stages_.back().leaves_engine_format())
      arithmetic.scale_product(view_of(x, batch, n_), dft_, n_);
    else
      arithmetic.scale(view_of(x, batch, n_), dft_, n_);
  }

 private:
  static constexpr std::string_view numbered = "stage #";

  /// Elements of a block. With its copy it takes 256 KiB in fp32 and fits the second-level cache.
  static constexpr std::size_t block_size = std::size_t{1} << 14;
  /// The least columns of a block, where the data have them: the length of the inner loops.
  static constexpr std::size_t least_width = 64;

  /// Two packed arrays that stages read from and write to in turn.
  struct Buffers {
    ComplexArray<Real> a;
    ComplexArray<Real> b;
    explicit Buffers(std::size_t size) : a(size), b(size) {}
  };

  std::size_t cols() const { return n_ / rows_; }

  /// Runs stages [first, last) on the columns of buffers.a, a rows x width matrix. For late stages
  /// `column` is the place of its first column among the rows_ results of the early stages. The
  /// result (row, col) of a stage is element place(groups)(row, col) of the whole batch.
  template <class Place>
  View<Real> run(const Arithmetic& arithmetic, std::size_t first, std::size_t last,
                 Buffers& buffers, std::size_t rows, std::size_t width, std::size_t column,
                 Place place) const {
    View<Real> now = view_of(buffers.a, rows, width);
    View<Real> next = view_of(buffers.b, rows, width);
    const std::size_t before = first == 0 ? 1 : rows_;
    std::size_t groups = 1;
    for (std::size_t i = first; i < last; ++i) {
      const auto mark = arithmetic.stage(numbered, i + 1);
      arithmetic.begin_stage(now, stages_[i].radix(), before * groups);
      stages_[i].transform(arithmetic, groups, column, now, next);
      std::swap(now, next);
      groups *= stages_[i].radix();
      const Places here = place(groups);
      if (i + 1 < stages_.size()) arithmetic.end_stage(now, i + 1, n_, here);
      mark.leaves(now, here);
    }
    return now;
  }

  /// Many short transforms: `together` of them are the columns of a block.
  void side_by_side(const Arithmetic& arithmetic, ComplexArray<Real>& x,
                    std::size_t together) const {
    Buffers buffers(n_ * together);
    for (std::size_t first = 0; first < x.size(); first += n_ * together) {
      const std::size_t count = std::min(together, (x.size() - first) / n_);
      const View<Real> rows{x.re.data() + first, x.im.data() + first, count, n_, n_};
      transpose(rows, view_of(buffers.a, n_, count));
      const auto place = [&](std::size_t) { return Places{1, n_, first}; };
      transpose(run(arithmetic, 0, stages_.size(), buffers, n_, count, 0, place), rows);
    }
  }

  void one_by_one(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t longest = std::max(rows_, cols());
    const std::size_t block = std::max(block_size, least_width * longest);
    Buffers buffers(std::max(block, arithmetic.stage_cols(n_, 1)));
    ComplexArray<Real> sorted(n_);
    const View<Real> late = view_of(sorted, cols(), rows_);
    for (std::size_t first = 0; first < x.size(); first += n_) {
      const View<Real> data{x.re.data() + first, x.im.data() + first, rows_, cols(), cols()};
      in_blocks(arithmetic, data, [&](std::size_t column, std::size_t width) {
        copy(data.middle_cols(column, width), view_of(buffers.a, rows_, width));
        const auto place = [&](std::size_t) { return Places{cols(), 1, first + column}; };
        transpose(run(arithmetic, 0, early_, buffers, rows_, width, 0, place),
                  late.middle_rows(column, width));
      });
      const View<Real> result{data.re, data.im, cols(), rows_, rows_};
      in_blocks(arithmetic, late, [&](std::size_t column, std::size_t width) {
        copy(late.middle_cols(column, width), view_of(buffers.a, cols(), width));
        const auto place = [&](std::size_t groups) {
          const std::size_t left = cols() / groups;
          return Places{1, left, first + column * left, left, rows_ * left};
        };
        copy(run(arithmetic, early_, stages_.size(), buffers, cols(), width, column, place),
             result.middle_cols(column, width));
      });
    }
  }

  /// body(column, width) for blocks of columns of x that fit into Buffers.
  template <class Body>
  static void in_blocks(const Arithmetic& arithmetic, View<Real> x, Body body) {
    const std::size_t width =
        arithmetic.stage_cols(x.cols, std::max(least_width, block_size / x.rows));
    for (std::size_t column = 0; column < x.cols; column += width)
      body(column, std::min(width, x.cols - column));
  }

  std::size_t n_;
  Dft dft_;
  std::vector<StockhamStage<Arithmetic>> stages_;
  std::size_t early_ = 0;  ///< stages done on columns
  std::size_t rows_ = 1;   ///< the product of their radices
};

template <class Arithmetic>
using StockhamR2 = With<Stockham, Arithmetic, stockham_r2_plan>;
template <class Arithmetic>
using StockhamR4 = With<Stockham, Arithmetic, stockham_r4_plan>;
template <class Arithmetic>
using StockhamR8 = With<Stockham, Arithmetic, stockham_r8_plan>;
template <class Arithmetic>
using StockhamMixed = With<Stockham, Arithmetic, stockham_mixed_plan>;
template <class Arithmetic>
using MixedRadix = With<Stockham, Arithmetic, mixed_radix_plan>;

/// Radices of at most 128, so that each stage is one matrix product that fits a tensor engine. For
/// n <= 16384 with a plan of two radices: two products with one pass of factors between them. The
/// six-step FFT differs only in explicit transpositions and has equal bits.
/// Source: Bailey, FFTs in external or hierarchical memory, J. Supercomputing 4 (1990), 23-35.
template <class Arithmetic>
using FourStep = With<Stockham, Arithmetic, four_step_plan>;

}  // namespace fftprec

/// Autosort (Stockham) FFTs: one engine for every plan of radices.
#pragma once

#include <algorithm>
#include <cmath>
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
///
/// The small DFTs by pairs take s_k = x_k + x_(r-k) and d_k = x_k - x_(r-k), k = 1..h = (r-1)/2,
/// c_jk and s_jk the cosine and the sine of 2 pi jk/r:
///     a_j = x_0 + c_j1 s_1 + ... + c_jh s_h    from the left, each product rounded,
///     b_j = s_j1 d_1 + ... + s_jh d_h,
///     y_j = a_j - i b_j, y_(r-j) = a_j + i b_j, the inverse the other way round,
///     y_0 = x_0 + s_1 + ... + s_h.
/// pairs_of_sums have y_0 = x_0 + (s_1 + ... + s_h), pairs_of_products a_j = x_0 + (c_j1 s_1 +
/// ...); golden_pairs, r = 5, y_0 = x_0 + (s_1 + s_2) and a_1, a_2 = t +- g (s_1 - s_2), t = x_0 -
/// (s_1 + s_2)/4, g = sqrt(5)/4. Sources: Swarztrauber, FFTPACK, in Parallel Computations (1982),
/// 51-83 (https://www.netlib.org/fftpack/); https://github.com/mborgerding/kissfft; GSL's
/// fft/c_pass_5.c (https://www.gnu.org/software/gsl/).
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
  static ErrorModel predict(const Predictor& predictor, const RadixStage& stage,
                            Decimation decimation, std::size_t done, std::size_t n,
                            std::size_t batch) {
    const std::size_t radix = stage.radix;
    const std::uint64_t vectors = batch * (n / radix);
    const ErrorModel dft = predict_dft(predictor, stage, vectors);
    const bool in_time = decimation == Decimation::in_time;
    const std::size_t circle = in_time ? done : n / (done * radix);
    if (circle == 1) return dft;
    const double share = static_cast<double>(radix - 1) / static_cast<double>(radix);
    const ErrorModel product =
        predictor.product(factor_spec(radix, circle), share, vectors * (radix - 1));
    return in_time ? product.compose(dft) : dft.compose(product);
  }

  /// `left` is M.
  StockhamStage(const Arithmetic& arithmetic, const RadixStage& stage, Decimation decimation,
                std::size_t done, std::size_t left, Direction direction, const RootFunction& roots)
      : stage_(stage), decimation_(decimation), done_(done), left_(left), direction_(direction) {
    if (circle() > 1)
      factors_ = arithmetic.factors(factor_spec(stage.radix, circle()), direction, roots);
    switch (stage.dft) {
      case SmallDft::sums:
        if (stage.radix == 8) eighth_ = arithmetic.eighth_factor(roots.literals());
        break;
      case SmallDft::matrix_product:
        matrix_ = arithmetic.matrix(DftGemm<Arithmetic>::matrix_spec(stage.radix, usual),
                                    stage.radix, direction, roots);
        break;
      case SmallDft::vector_product:
        matrix_ = arithmetic.factors(core_spec(stage.radix), direction, roots);
        break;
      case SmallDft::pairs:
        matrix_ = real_core(arithmetic, &ComplexArray<double>::re, roots.literals());
        sines_ = real_core(arithmetic, &ComplexArray<double>::im, roots.literals());
        break;
      case SmallDft::pairs_of_sums:
      case SmallDft::pairs_of_products:
        matrix_ = real_core(arithmetic, &ComplexArray<double>::re, roots);
        sines_ = real_core(arithmetic, &ComplexArray<double>::im, roots);
        break;
      case SmallDft::golden_pairs:
        matrix_ = arithmetic.real_factors([](const Format& format) {
          return std::vector{-0.25, round(std::sqrt(5.0) / 4, format, Rounding::rne)};
        });
        sines_ = real_core(arithmetic, &ComplexArray<double>::im, roots.literals());
        break;
    }
  }

  std::size_t radix() const { return stage_.radix; }

  /// Whether the result stays in the format that a matrix product delivers.
  bool leaves_engine_format() const { return left_ == 1 && stage_.dft == SmallDft::matrix_product; }

  /// out <- the stage on every column of x; x is used up. Both are packed.
  /// In time, the L factors of a row k are cut into `groups` of L / groups. If L = groups, one
  /// factor serves a whole row; else factors vary along the columns of x, and the first column
  /// takes the one at place `column` of its group. In frequency see factors_by_time.
  void transform(const Arithmetic& arithmetic, std::size_t groups, std::size_t column, View<Real> x,
                 View<Real> out) const {
    const std::size_t length = x.rows * x.cols / (groups * radix());
    for (std::size_t group = 0; group < groups; ++group) {
      const std::size_t from = group * radix() * length;
      const View<Real> in{x.re + from, x.im + from, radix(), length, length};
      const std::size_t to = group * length;
      const View<Real> result{out.re + to, out.im + to, radix(), length, groups * length};
      if (decimation_ == Decimation::in_frequency) {
        small_dfts(arithmetic, in, result);
        multiply(arithmetic, factors_by_time(length, x.cols, column), result);
        continue;
      }
      const bool varies = groups != done_;
      const Factors factors{.first = group * (done_ / groups) + (varies ? column : 0),
                            .width = varies ? x.cols : length,
                            .step = varies ? std::size_t{1} : std::size_t{0}};
      if (stage_.dft == SmallDft::sums && radix() == 2) {
        butterflies(arithmetic, factors, in, result);
      } else {
        multiply(arithmetic, factors, in);
        small_dfts(arithmetic, in, result);
      }
    }
  }

 private:
  static constexpr AngleOrder usual = AngleOrder::row_column;

  /// Where the factors of a group start, the length of the rows that take them, and how far the
  /// factors of neighbours in a row, and of neighbouring rows, are apart.
  struct Factors {
    std::size_t first;
    std::size_t width;
    std::size_t step;
    std::size_t row_step = 0;
  };

  /// How many factors a row k takes: L in time, M in frequency.
  std::size_t circle() const { return decimation_ == Decimation::in_time ? done_ : left_; }

  /// The factors of m = 0..M-1 on rows of `cols` elements: m is the row, or runs along rows too.
  Factors factors_by_time(std::size_t length, std::size_t cols, std::size_t column) const {
    const std::size_t per_row = left_ / (length / cols);
    return per_row == 1 ? Factors{.first = 0, .width = cols, .step = 0, .row_step = 1}
                        : Factors{.first = column, .width = cols, .step = 1, .row_step = per_row};
  }

  /// c_jk or s_jk for k, j = 1..h, row-major.
  typename Arithmetic::Table real_core(const Arithmetic& arithmetic,
                                       AlignedVector<double> ComplexArray<double>::*part,
                                       const RootFunction& roots) const {
    return arithmetic.real_factors([=, r = radix()](const Format& format) {
      const ComplexArray<double> entries =
          root_entries<double>(pairs_spec(r), format, Direction::forward, roots);
      std::vector<double> values((entries.*part).begin(), (entries.*part).end());
      const std::size_t half = r / 2;
      for (std::size_t i = 0; part == &ComplexArray<double>::im && i < values.size(); ++i)
        if ((i / half + 1) * (i % half + 1) % r <= half) values[i] = -values[i];
      return values;
    });
  }

  /// W(k, j) or its conjugate for k, j = 1..h, row-major, kj reduced to 1..h.
  static TableSpec pairs_spec(std::size_t radix) {
    const std::size_t half = radix / 2;
    return {half * half,
            [=](std::size_t i) {
              const std::size_t reduced = (i / half + 1) * (i % half + 1) % radix;
              return RootIndex{std::min(reduced, radix - reduced), radix};
            },
            {0.5, half}};
  }

  void small_dfts(const Arithmetic& arithmetic, View<Real> x, View<Real> out) const {
    switch (stage_.dft) {
      case SmallDft::sums:
        return sums(arithmetic, x, out);
      case SmallDft::matrix_product:
        return matrix_product(arithmetic, x, out);
      case SmallDft::vector_product:
        return vector_product(arithmetic, x, out);
      case SmallDft::pairs:
      case SmallDft::pairs_of_sums:
      case SmallDft::pairs_of_products:
      case SmallDft::golden_pairs:
        return pairs(arithmetic, x, out);
    }
  }

  static ErrorModel predict_dft(const Predictor& predictor, const RadixStage& stage,
                                std::uint64_t vectors) {
    const std::size_t radix = stage.radix;
    switch (stage.dft) {
      case SmallDft::sums:
        if (radix == 2) return predictor.sums(1, 4 * vectors);
        if (radix == 4) return predictor.sums(2, 16 * vectors);
        return predictor.sums(2, 32 * vectors)
            .compose(predictor.with_literals().eighth(0.25, 2 * vectors))
            .compose(predictor.sums(1, 16 * vectors));
      case SmallDft::matrix_product:
        return predictor.gemm(DftGemm<Arithmetic>::matrix_spec(radix, usual), radix, vectors);
      case SmallDft::vector_product:
        break;
      case SmallDft::pairs:
        return predictor.with_literals().pairs(pairs_spec(radix), radix, vectors,
                                               Predictor::PairSums::in_turn);
      case SmallDft::pairs_of_sums:
        return predictor.pairs(pairs_spec(radix), radix, vectors, Predictor::PairSums::sums_first);
      case SmallDft::pairs_of_products:
        return predictor.pairs(pairs_spec(radix), radix, vectors,
                               Predictor::PairSums::products_first);
      case SmallDft::golden_pairs:
        return predictor.with_literals().pairs(pairs_spec(radix), radix, vectors,
                                               Predictor::PairSums::golden);
    }
    return predictor.dft_core(core_spec(radix), radix, vectors);
  }

  /// Row k of x, cut into rows of `width` elements that all take equal factors.
  static View<Real> row(View<Real> x, std::size_t k, std::size_t width) {
    const std::size_t at = k * x.stride;
    return {x.re + at, x.im + at, x.cols / width, width, width};
  }

  FactorView<Real> factors_of_row(std::size_t k, const Factors& factors) const {
    return factors_.view((k - 1) * circle() + factors.first, factors.row_step, factors.step);
  }

  void multiply(const Arithmetic& arithmetic, const Factors& factors, View<Real> x) const {
    if (circle() == 1) return;
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

  /// r = 4 by two levels of sums, r = 8 by two of these and a level of sums more.
  void sums(const Arithmetic& arithmetic, View<Real> x, View<Real> out) const {
    const auto row_of = [](View<Real> view, std::size_t k) { return view.middle_rows(k, 1); };
    if (radix() == 2) {
      copy(x, out);
      return arithmetic.sum_difference(row_of(out, 0), row_of(out, 1));
    }
    constexpr std::size_t pairs_side_by_side[] = {0, 2, 1, 3};
    const std::size_t quarters = radix() / 4;
    for (std::size_t first = 0; first < quarters; ++first) {
      const View<Real> four = out.middle_rows(4 * first, 4);
      for (std::size_t k = 0; k < 4; ++k)
        copy(row_of(x, quarters * pairs_side_by_side[k] + first), row_of(four, k));
      arithmetic.sum_difference(row_of(four, 0), row_of(four, 1));
      arithmetic.sum_difference(row_of(four, 2), row_of(four, 3));
      arithmetic.sum_difference(row_of(four, 0), row_of(four, 2));
      arithmetic.rotated(row_of(four, 1), row_of(four, 3), direction_);
    }
    if (quarters == 1) return;
    arithmetic.multiply_eighth(row_of(out, 5), eighth_, false, direction_);
    arithmetic.multiply_eighth(row_of(out, 7), eighth_, true, direction_);
    for (const std::size_t k : {0u, 1u, 3u})
      arithmetic.sum_difference(row_of(out, k), row_of(out, k + 4));
    arithmetic.rotated(row_of(out, 2), row_of(out, 6), direction_);
  }

  /// x is used up: s_k stands in its row k, d_k in row r - k.
  void pairs(const Arithmetic& arithmetic, View<Real> x, View<Real> out) const {
    const std::size_t half = radix() / 2;
    const auto row_of = [](View<Real> view, std::size_t k) { return view.middle_rows(k, 1); };
    for (std::size_t k = 1; k <= half; ++k)
      arithmetic.sum_difference(row_of(x, k), row_of(x, radix() - k));
    const View<Real> first = row_of(out, 0);
    const View<Real> pair_sums = x.middle_rows(1, half);
    if (stage_.dft == SmallDft::pairs_of_sums || stage_.dft == SmallDft::golden_pairs) {
      copy(row_of(pair_sums, 0), first);
      for (std::size_t k = 1; k < half; ++k) arithmetic.add(first, first, row_of(pair_sums, k));
      cosine_sums(arithmetic, x, out);
      arithmetic.add(first, row_of(x, 0), first);
    } else {
      cosine_sums(arithmetic, x, out);
      copy(row_of(x, 0), first);
      for (std::size_t k = 0; k < half; ++k) arithmetic.add(first, first, row_of(pair_sums, k));
    }
    // b_j in row r - j: differences stand in the order of falling k.
    const View<Real> sine_sums = out.middle_rows(half + 1, half);
    fill_zero(sine_sums);
    for (std::size_t k = 1; k <= half; ++k)
      for (std::size_t j = 1; j <= half; ++j)
        arithmetic.accumulate_columns(row_of(out, radix() - j),
                                      sines_.view((k - 1) * half + j - 1, 1, 1),
                                      row_of(x, radix() - k));
    for (std::size_t j = 1; j <= half; ++j)
      arithmetic.rotated(row_of(out, j), row_of(out, radix() - j), direction_);
  }

  /// a_j in row j of out. Golden pairs find s_1 + s_2 in row 0 of out, and use up x_1 and x_2.
  void cosine_sums(const Arithmetic& arithmetic, View<Real> x, View<Real> out) const {
    const std::size_t half = radix() / 2;
    const auto row_of = [](View<Real> view, std::size_t k) { return view.middle_rows(k, 1); };
    const View<Real> sums_of_cosines = out.middle_rows(1, half);
    const View<Real> pair_sums = x.middle_rows(1, half);
    if (stage_.dft == SmallDft::pairs_of_products)
      fill_zero(sums_of_cosines);
    else
      for (std::size_t j = 0; j < half; ++j) copy(row_of(x, 0), row_of(sums_of_cosines, j));
    if (stage_.dft != SmallDft::golden_pairs) {
      arithmetic.accumulate_columns(sums_of_cosines, matrix_.view(0, half, 1), pair_sums);
      for (std::size_t j = 0; j < half && stage_.dft == SmallDft::pairs_of_products; ++j)
        arithmetic.add(row_of(sums_of_cosines, j), row_of(x, 0), row_of(sums_of_cosines, j));
      return;
    }
    const View<Real> apart = row_of(sums_of_cosines, 1);
    arithmetic.accumulate_columns(row_of(sums_of_cosines, 0), matrix_.view(0, 1, 1),
                                  row_of(out, 0));
    arithmetic.sum_difference(row_of(pair_sums, 0), row_of(pair_sums, 1));
    copy(row_of(pair_sums, 1), apart);
    arithmetic.multiply(apart, matrix_.view(1, 0, 0));
    arithmetic.sum_difference(row_of(sums_of_cosines, 0), apart);
  }

  void matrix_product(const Arithmetic& arithmetic, View<Real> x, View<Real> out) const {
    if (x.cols == 1 && out.stride == 1)  // along the only long direction
      arithmetic.gemm({out.re, out.im, 1, radix(), radix()}, {x.re, x.im, 1, radix(), radix()},
                      matrix_);
    else
      arithmetic.gemm_columns(out, matrix_, x);
    if (left_ > 1) arithmetic.store_product(out);
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
  Decimation decimation_;
  std::size_t done_;  ///< L
  std::size_t left_;  ///< M
  Direction direction_;
  Table factors_;
  Table matrix_;  ///< of products; the cosines of pairs
  Table sines_;
  Table eighth_;
};

/// Stages of radix r in the order of the plan. Before a stage the data are an array (L, r, M), with
/// L the product of the earlier radices (1 at first) and M = n / (L r). The stage
/// 1. multiplies element (l, k, m) by exp(-+2 pi i l k / (L r)), k l not reduced;
/// 2. replaces the r elements over k by their DFT;
/// 3. moves (L, r, M) to (r, L, M), which is the next stage's (L', r', M').
/// Decimation in frequency does step 2 first, and then multiplies element (l, j, m), m < M, by
/// exp(-+2 pi i j m / (r M)).
/// Row k = 0 and the first stage (in frequency, the last) have only factors 1 and take no product.
/// (A product with 1 would change bits only in the split modes, which cut the data to words.) Every
/// other element takes its product, also for l = 0, where the factor is 1. After a stage, element
/// (l, m) is the DFT of x[m], x[m + M], ... at frequency l, so the result is in natural order.
///
/// The small DFTs:
/// - sums, r = 2: x0 +- x1; r = 4: (x0 + x2) +- (x1 + x3) and (x0 - x2) -+ i (x1 - x3); r = 8: the
///   two of even and of odd places, e and o, by r = 4, then e_j +- exp(-+i pi j/4) o_j;
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
  static std::string unsupported(std::size_t n, const PlanAnyRadices& plan_radices) {
    return plan_radices(n).unsupported;
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            const PlanAnyRadices& plan_radices) {
    ErrorModel result{.theorem = "stockham-stages"};
    const RadixPlan plan = plan_radices(n);
    std::size_t done = 1;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
      const RadixStage& stage = plan.stages[i];
      const auto mark = predictor.stage(numbered, i + 1);
      result = result.compose(predictor.stage_begun(stage.radix, done, batch * n))
                   .compose(StockhamStage<Arithmetic>::predict(predictor, stage, plan.decimation,
                                                               done, n, batch))
                   .compose(predictor.reorder());
      done *= stage.radix;
      if (done < n) result = predictor.stage_ended(result, i + 1);
      // The twiddles of radices 2 and 4 in time meet conjugates alike.
      if (stage.radix != n && stage.radix != 2 && stage.radix != 4) result.is_mirrored = false;
    }
    if (plan.decimation == Decimation::in_frequency)
      result = predictor.in_frequency(std::move(result));
    const auto mark = predictor.stage(norm_scaling, plan.stages.size() + 1);
    if (result.output == ErrorModel::Output::engine)
      return result.compose(predictor.scale_product(n, batch * n));
    return result.compose(predictor.scale(n, batch * n));
  }

  /// Throws InputError if the plan does not support n.
  Stockham(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots,
           const PlanAnyRadices& plan_radices)
      : n_(n), dft_(dft) {
    const RadixPlan plan = plan_radices(n);
    require(plan.unsupported.empty(), plan.unsupported);
    std::size_t done = 1;
    for (const RadixStage& stage : plan.stages) {
      const std::size_t left = n / (done * stage.radix);
      stages_.emplace_back(arithmetic, stage, plan.decimation, done, left, dft, roots);
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

  /// Runs stages [first, last) on the columns of buffers.a, a rows x width matrix. `column` is the
  /// place of its first column among all of the data, or of the rows_ results of the early stages.
  /// The result (row, col) of a stage is element place(groups)(row, col) of the whole batch.
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
        transpose(run(arithmetic, 0, early_, buffers, rows_, width, column, place),
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

/// Radices of at most 128, so that each stage is one matrix product that fits a tensor engine. For
/// n <= 16384 with a plan of two radices: two products with one pass of factors between them. The
/// six-step FFT differs only in explicit transpositions and has equal bits.
/// Source: Bailey, FFTs in external or hierarchical memory, J. Supercomputing 4 (1990), 23-35.
template <class Arithmetic>
using FourStep = With<Stockham, Arithmetic, four_step_plan>;

}  // namespace fftprec

/// row-column: n = n1 n2 as column DFTs, a twiddle product on the host, and row DFTs.
#pragma once

#include "algorithms/fft/fft.hpp"
#include "algorithms/fft/number_theory.hpp"
#include "algorithms/fft/transpose.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// n1 is the largest divisor of n that is at most sqrt(n). With j = n2 j1 + j2 and k = k1 + n1 k2:
/// X_k = sum_j2 W_n2^(j2 k2) [ W_n^(j2 k1) sum_j1 W_n1^(j1 k1) x_j ].
///
/// Order: the n2 DFTs of length n1; the twiddle product; the n1 DFTs of length n2. The host forms
/// the product as a plain one in fp32 (fp64 in mode fp64), with factors in this format, whatever
/// the mode. Its result is rounded to the storage format for the row DFTs.
/// Rounds: as the inner FFTs do; between them 4 products and 2 sums per element, then the store.
/// The inverse runs the inverse inner FFTs, which scale by fl(1/n1) and fl(1/n2).
/// Error: three stages and the store.
/// Source: Gentleman, Sande 1966 (the general factorisation); Bailey 1990 for the four steps.
template <ArrayArithmetic Arithmetic>
class RowColumn {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n, const FftModel& inner) {
    const std::size_t rows = divisor_below_root(n);
    if (rows == 1) return refusal(n);
    for (const std::size_t length : {rows, n / rows})
      if (const std::string reason = inner.unsupported(length); !reason.empty())
        return "row-column of n = " + std::to_string(n) + ": " + reason;
    return "";
  }

  /// W_n^(j2 k1) in row-major order, row j2 and column k1.
  static TableSpec twiddles(std::size_t n) {
    const std::size_t n1 = divisor_below_root(n);
    const double largest = static_cast<double>((n1 - 1) * (n / n1 - 1));
    return {n,
            [n, n1](std::size_t i) {
              return RootIndex{i / n1, i % n1, n, AngleOrder::row_column};
            },
            {largest / static_cast<double>(n), n - 1, AngleOrder::row_column}};
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            const FftModel& inner) {
    const std::size_t n1 = divisor_below_root(n);
    const std::size_t n2 = n / n1;
    ErrorModel result;
    {
      const auto mark = predictor.stage(column_dfts, 1);
      result = inner.predict(predictor, n1, batch * n2);
    }
    {
      const auto mark = predictor.stage(twiddle_product, 2);
      result = result.compose(predictor.wide_product(twiddles(n), batch * n));
      result = predictor.stored(result).compose(predictor.reorder());
    }
    const auto mark = predictor.stage(row_dfts, 3);
    result = result.compose(inner.predict(predictor, n2, batch * n1));
    result.theorem = "row-column-stages";
    result.is_mirrored = false;
    return result;
  }

  /// Throws InputError unless n is composite, and for a factor that the inner FFT refuses.
  RowColumn(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots,
            const MakeFft<Arithmetic>& inner)
      : n_(n), n1_(divisor_below_root(n)) {
    require(n1_ > 1, refusal(n));
    const auto make = [&](std::size_t length) {
      return [&, length] { return inner(arithmetic, length, dft, roots); };
    };
    columns_ = in_stage(arithmetic, column_dfts, 1, make(n1_));
    rows_ = in_stage(arithmetic, row_dfts, 3, make(n_ / n1_));
    twiddles_ = arithmetic.wide_factors(twiddles(n), dft, roots);
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t n2 = n_ / n1_;
    const std::size_t batch = x.size() / n_;
    ComplexArray<Real> work(x.size());
    transpose_each(x, n1_, n2, work);
    {
      const auto mark = arithmetic.stage(column_dfts, 1);
      columns_(arithmetic, work);
    }
    {
      const auto mark = arithmetic.stage(twiddle_product, 2);
      arithmetic.multiply_wide(view_of(work, batch, n_), twiddles_.view(0, 0, 1));
      arithmetic.store(view_of(work, batch, n_));
      mark.leaves(view_of(work, batch, n_), Places{n_});
    }
    transpose_each(work, n2, n1_, x);
    {
      const auto mark = arithmetic.stage(row_dfts, 3);
      rows_(arithmetic, x);
    }
    transpose_each(x, n1_, n2, work);
    x = std::move(work);
  }

 private:
  static constexpr std::string_view column_dfts = "column DFTs";
  static constexpr std::string_view twiddle_product = "twiddle product";
  static constexpr std::string_view row_dfts = "row DFTs";

  static std::string refusal(std::size_t n) {
    return "row-column needs a composite n, got " + std::to_string(n);
  }

  std::size_t n_;
  std::size_t n1_;
  Fft<Arithmetic> columns_;
  Fft<Arithmetic> rows_;
  typename Arithmetic::Table twiddles_;
};

}  // namespace fftprec

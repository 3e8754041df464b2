/// dft-gemm: the DFT as one complex matrix product, X = x W, any n.
#pragma once

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/theory/predictor.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// X (B x n) = x (B x n) W, W(k, j) = exp(-+2 pi i kj / n). The table source gets kj unreduced.
///
/// Rounds: as the arithmetic's gemm does; on a tensor engine, for each K-tile of 128: PSUM_re +=
/// Xr Wr, PSUM_re += Xi (-Wi), PSUM_im += Xr Wi, PSUM_im += Xi Wr. The inverse ends with one
/// product by fl(1/n) per part.
template <ArrayArithmetic Arithmetic>
class DftGemm {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n) { return n > 0 ? "" : "dft-gemm needs n >= 1"; }

  /// The matrix, row-major: entry i is in row k = i / n and column j = i mod n. The product sums
  /// over k.
  static TableSpec matrix_spec(std::size_t n, AngleOrder usual = AngleOrder::product) {
    const double last = static_cast<double>(n - 1);
    return {n * n,
            [n, usual](std::size_t first, std::span<RootIndex> roots) {
              std::size_t row = first / n;
              std::size_t col = first % n;
              for (RootIndex& root : roots) {
                root = {row, col, n, usual};
                if (++col < n) continue;
                col = 0;
                ++row;
              }
            },
            {last * last / static_cast<double>(n), n - 1, usual}};
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch) {
    ErrorModel result{.theorem = "gemm-forward"};
    {
      const auto mark = predictor.stage(product, 1);
      result = result.compose(predictor.stage_begun(n, 1, batch * n))
                   .compose(predictor.gemm(matrix_spec(n), n, batch));
    }
    const auto mark = predictor.stage(norm_scaling, 2);
    return result.compose(predictor.scale_product(n, batch * n));
  }

  /// Throws InputError for n = 0.
  DftGemm(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots)
      : n_(n), dft_(dft) {
    require(unsupported(n).empty(), unsupported(n));
    matrix_ = arithmetic.matrix(matrix_spec(n), n, dft, roots);
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t batch = x.size() / n_;
    ComplexArray<Real> out(x.size());
    {
      const auto mark = arithmetic.stage(product, 1);
      arithmetic.begin_stage(view_of(x, batch, n_), n_, 1);
      arithmetic.gemm(view_of(out, batch, n_), view_of(x, batch, n_), matrix_);
      mark.leaves(view_of(out, batch, n_),
                  [&](std::size_t r, std::size_t c) { return r * n_ + c; });
    }
    const auto mark = arithmetic.stage(norm_scaling, 2);
    arithmetic.scale_product(view_of(out, batch, n_), dft_, n_);
    x = std::move(out);
  }

 private:
  static constexpr std::string_view product = "matrix product";

  std::size_t n_;
  Dft dft_;
  typename Arithmetic::Table matrix_;
};

}  // namespace fftprec

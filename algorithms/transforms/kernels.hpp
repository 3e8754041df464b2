/// Kernels other than FFTs: the product with a mask; modReLU; the complex linear layer y = x W^T on
/// the engine of the mode; full linear convolution, y_k = sum_j h_j x_(k-j), both directly on the
/// tensor engine and by FFT. All operands of a kernel are in one array: first the signals x of n,
/// then the h that they share.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/fft/fft.hpp"
#include "algorithms/fft/transpose.hpp"
#include "algorithms/theory/predictor.hpp"
#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// y_j = m_j x_j, the complex product of the mode with m as a computed factor.
/// Shapes: items x of n, then one mask m of n for all of them; y items of n.
/// Rounds: one complex product per element.
/// Error: rho |m_j||x_j| = rho |y_j|, relative to the norm of the result.
template <ArrayArithmetic Arithmetic>
ComplexArray<typename Arithmetic::Real> masked(
    const Arithmetic& arithmetic, const ComplexArray<typename Arithmetic::Real>& operands,
    std::size_t n) {
  const std::size_t size = operands.size() - n;
  const auto mask = arithmetic.factors_of(part_of(operands, size, n));
  auto y = part_of(operands, 0, size);
  const auto mark = arithmetic.stage("product", 1);
  arithmetic.multiply(view_of(y, size / n, n), mask.view(0, 0, 1));
  return y;
}

/// y_j = max(|z_j| + b_j, 0) z_j / |z_j|, 0 where z_j = 0: `modrelu` of the arithmetic.
/// Shapes: items z of n, then one item b of n with im = 0 for all of them; y items of n.
/// Rounds: ten operations per element.
template <ArrayArithmetic Arithmetic>
ComplexArray<typename Arithmetic::Real> modrelu(
    const Arithmetic& arithmetic, const ComplexArray<typename Arithmetic::Real>& operands,
    std::size_t n) {
  const std::size_t size = operands.size() - n;
  auto y = part_of(operands, 0, size);
  const auto mark = arithmetic.stage("modReLU", 1);
  arithmetic.modrelu(view_of(y, size / n, n), operands.re.data() + size);
  return y;
}

/// The model of `batch` items. The bound is relative to the norm of |z_j| + |b_j|, since |z_j| +
/// b_j may cancel: (1 + delta)(1 + u)(1 + kappa) - 1, about 7u, with delta = (1 + u)^2 - 1 and
/// kappa = (1 + u)^2 / (1 - delta) - 1. The expected error is for standard normal z and b.
/// The cost omits the square root and the quotient, which are not counted.
ErrorModel predict_modrelu(const Predictor& predictor, std::size_t n, std::size_t batch);

/// y_ij = sum_l x_il w_jl: one gemm with W^T as its matrix.
/// Shapes: x batch x n, then W outputs x n in the same array; y batch x outputs.
/// Rounds: as gemm does. W^T is a computed matrix, cut into the words of gemm.
/// Error: gemm_error / sqrt(n), relative to ||x||_F ||W||_F (Predictor::computed_gemm).
template <ArrayArithmetic Arithmetic>
ComplexArray<typename Arithmetic::Real> linear_layer(
    const Arithmetic& arithmetic, const ComplexArray<typename Arithmetic::Real>& operands,
    std::size_t n, std::size_t outputs) {
  using Array = ComplexArray<typename Arithmetic::Real>;
  const std::size_t size = operands.size() - outputs * n;
  Array transposed(outputs * n);
  for (std::size_t j = 0; j < outputs; ++j)
    for (std::size_t l = 0; l < n; ++l)
      put(transposed, l * outputs + j, operands, size + j * n + l);
  Array x = part_of(operands, 0, size);
  Array y(size / n * outputs);
  const auto mark = arithmetic.stage("matrix product", 1);
  arithmetic.gemm(view_of(y, size / n, outputs), view_of(x, size / n, n),
                  arithmetic.matrix_of(std::move(transposed), n));
  return y;
}

/// Sizes of a convolution.
struct FilterShape {
  std::size_t n;
  std::size_t taps;

  std::size_t outputs() const { return n + taps - 1; }
  /// The length of FFTs in which nothing wraps around.
  std::size_t padded() const { return std::bit_ceil(outputs()); }
};

/// One gemm_columns for each signal with K = taps: the matrix is the single column h, and element
/// (j, k) of the data is x_(k-j), or 0 outside the signal. Each output sums `taps` products in the
/// order of j.
/// Shapes: items of n, h of taps; items of n + taps - 1 out. Rounds: as gemm does.
template <ArrayArithmetic Arithmetic>
ComplexArray<typename Arithmetic::Real> direct_convolution(
    const Arithmetic& arithmetic, const ComplexArray<typename Arithmetic::Real>& operands,
    const FilterShape& shape) {
  using Array = ComplexArray<typename Arithmetic::Real>;
  const std::size_t batch = (operands.size() - shape.taps) / shape.n;
  const std::size_t outputs = shape.outputs();
  const auto h = arithmetic.matrix_of(part_of(operands, batch * shape.n, shape.taps), shape.taps);
  Array patches(shape.taps * outputs);
  Array y(batch * outputs);
  for (std::size_t item = 0; item < batch; ++item) {
    for (std::size_t j = 0; j < shape.taps; ++j) {
      const std::size_t to = j * outputs + j;
      std::copy_n(operands.re.data() + item * shape.n, shape.n, patches.re.data() + to);
      std::copy_n(operands.im.data() + item * shape.n, shape.n, patches.im.data() + to);
    }
    const auto mark = arithmetic.stage("matrix product", 1);
    arithmetic.gemm_columns(view_of(y, batch, outputs).middle_rows(item, 1), h,
                            view_of(patches, shape.taps, outputs));
  }
  return y;
}

/// The names of the stages.
inline constexpr std::string_view filter_forward = "forward FFTs";
inline constexpr std::string_view filter_product = "product of the spectra";
inline constexpr std::string_view filter_inverse = "inverse FFT";

/// F^-1(F(x) F(h)) in M = 2^m >= n + taps - 1 points.
/// Order: x and h are zero-padded; their forward FFTs are rounded to the storage format; every
/// spectrum of x is multiplied by the spectrum of h, a computed factor; the first n + taps - 1
/// outputs of the inverse FFTs are the result. Rounds: in each of these steps.
template <ArrayArithmetic Arithmetic>
class FftConvolution {
 public:
  using Real = typename Arithmetic::Real;

  FftConvolution(const Arithmetic& arithmetic, const FilterShape& shape, const RootFunction& roots,
                 const MakeFft<Arithmetic>& make)
      : shape_(shape),
        forward_(
            in_stage(arithmetic, filter_forward, 1,
                     [&] { return make(arithmetic, shape.padded(), Direction::forward, roots); })),
        inverse_(in_stage(arithmetic, filter_inverse, 3, [&] {
          return make(arithmetic, shape.padded(), Direction::inverse, roots);
        })) {}

  ComplexArray<Real> transform(const Arithmetic& arithmetic, ComplexArray<Real> operands) const {
    const std::size_t length = shape_.padded();
    const std::size_t batch = (operands.size() - shape_.taps) / shape_.n;
    ComplexArray<Real> spectra((batch + 1) * length);
    // An FFT may put its result into other memory, so a view is not valid after it.
    const auto rows = [&] { return view_of(spectra, batch + 1, length); };
    copy(view_of(operands, batch, shape_.n), rows().middle_cols(0, shape_.n));
    ComplexArray<Real> h = part_of(operands, batch * shape_.n, shape_.taps);
    copy(view_of(h, 1, shape_.taps), rows().middle_rows(batch, 1).middle_cols(0, shape_.taps));
    {
      const auto mark = arithmetic.stage(filter_forward, 1);
      forward_(arithmetic, spectra);
    }
    ComplexArray<Real> products = product_of(arithmetic, spectra, batch);
    const auto mark = arithmetic.stage(filter_inverse, 3);
    inverse_(arithmetic, products);
    ComplexArray<Real> y(batch * shape_.outputs());
    copy(view_of(products, batch, length).middle_cols(0, shape_.outputs()),
         view_of(y, batch, shape_.outputs()));
    return y;
  }

 private:
  /// The spectra of the signals times the spectrum of h, which is the last of `spectra`.
  ComplexArray<Real> product_of(const Arithmetic& arithmetic, ComplexArray<Real>& spectra,
                                std::size_t batch) const {
    const std::size_t length = shape_.padded();
    const auto mark = arithmetic.stage(filter_product, 2);
    arithmetic.store(view_of(spectra, batch + 1, length));
    const auto factors = arithmetic.factors_of(part_of(spectra, batch * length, length));
    ComplexArray<Real> products = part_of(spectra, 0, batch * length);
    const View<Real> rows = view_of(products, batch, length);
    arithmetic.multiply(rows, factors.view(0, 0, 1));
    arithmetic.end_stage(rows, end_of_pass);
    return products;
  }

  FilterShape shape_;
  Fft<Arithmetic> forward_;
  Fft<Arithmetic> inverse_;
};

/// The model of `batch` signals. The bound, gemm_error(taps), is relative to ||x|| ||h||.
ErrorModel predict_direct_convolution(const Predictor& predictor, const FilterShape& shape,
                                      std::size_t batch);

/// The model of `batch` signals. The bound is relative to ||x|| ||h||. With B_f, B_i the bounds of
/// the FFTs (the forward one with its rounding to the storage format), eps = (1 + B_f)^2 (1 + rho)
/// - 1, C = n + taps - 1 outputs, M points and T = min(n, taps), it is
/// sqrt(C) eps + B_i (sqrt(T) + sqrt(M) eps).
ErrorModel predict_fft_convolution(const Predictor& predictor, const FilterShape& shape,
                                   std::size_t batch, const FftModel& fft);

}  // namespace fftprec

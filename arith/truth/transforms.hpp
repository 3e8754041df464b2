/// The truth of Fourier and cosine transforms: one axis or several, complex, real and Hermitian
/// data.
///
/// All take a batch of items one after the other as exact doubles, compute them by one formula in
/// MPFR or in double-double, and carry a bound through every step (chain.hpp).
/// Error: ||stored - exact||_2 <= radius_rel ||stored||_2 over each item, about 2^-106 or 2^-90;
/// see certify.hpp for the choice of the tier.
/// Arrays are row-major, the last axis contiguous; `shape` gives the sizes of the axes of the real
/// (or full complex) data. Real data are in re, with zeros in im.
/// Throws InputError if shape is empty or has a zero, x.size() is no multiple of an item, re and im
/// differ in size, a value is not finite, real data have an imaginary part, or as certify.
#pragma once

#include <cstddef>
#include <span>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/certify.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::truth {

using Shape = std::span<const std::size_t>;

/// The evaluations of the truths below, in any arithmetic. Each refers to x.
namespace evaluation {
Evaluation dft_nd(const ComplexArray<double>& x, Shape shape, Direction direction);
Evaluation rfft_nd(const ComplexArray<double>& x, Shape shape);
Evaluation irfft_nd(const ComplexArray<double>& x, Shape shape);
Evaluation hfft(const ComplexArray<double>& x, std::size_t n);
Evaluation ihfft(const ComplexArray<double>& x, std::size_t n);
Evaluation dct2(const ComplexArray<double>& x, std::size_t n);
Evaluation dct3(const ComplexArray<double>& x, std::size_t n);
}  // namespace evaluation

/// The true transform of a given input: y_k = sum_j x_j exp(-+2 pi i jk/n) for each of the
/// x.size()/n transforms in x; for inverse the upper sign is plus and y is divided by n.
/// Zero input: zero, exactly; radius_rel = 0 and bits = exact_bits where every transform is zero.
/// The radius includes results so small that `lo` is subnormal; it is infinite if everything
/// underflowed. Throws InputError if n = 0, and as below.
Truth dft(const ComplexArray<double>& x, std::size_t n, Direction direction,
          const TruthOptions& options = {});

/// The truth of a transform of `points` points under dft.norm, from the truth under Norm::backward.
/// Rounds: factor and products to about 2^-100, which the radius includes.
Truth in_norm(Truth backward, Dft dft, std::size_t points);

/// y_k = sum_j x_j exp(-+2 pi i sum_a j_a k_a / n_a) over all axes of `shape`; for inverse the
/// upper sign is plus and y is divided by the product of the sizes. Two axes: fft2, ifft2. Shapes:
/// item of `shape` in, `shape` out.
inline constexpr Certified<evaluation::dft_nd> dft_nd{};

/// The transform of real data, one-sided along the last axis. One axis: rfft.
/// Shapes: `shape` in; out the same with shape.back()/2 + 1 along the last axis.
/// Outputs that are their own mirror image (every k_a = -k_a modulo n_a) have im = 0 exactly.
inline constexpr Certified<evaluation::rfft_nd> rfft_nd{};

/// Its inverse: the complex inverse transform along every axis but the last, then along the last
/// the inverse of the Hermitian extension, without the imaginary parts at k = 0 and, for even n, at
/// n/2; divided by the product of the sizes. One axis: irfft.
/// Shapes: `shape` with shape.back()/2 + 1 along the last axis in; `shape` out, im = 0.
inline constexpr Certified<evaluation::irfft_nd> irfft_nd{};

/// y_k = sum_j x_j exp(-2 pi i jk/n) over the Hermitian extension of x: n times irfft of conj(x).
/// Shapes: n/2 + 1 in, n out, im = 0.
inline constexpr Certified<evaluation::hfft> hfft{};

/// conj(rfft(x)) / n. Shapes: n real in, n/2 + 1 out.
inline constexpr Certified<evaluation::ihfft> ihfft{};

/// Cosine transform of type 2: y_k = 2 sum_j x_j cos(pi k (2j+1) / (2n)); divided by 2n (forward),
/// or by sqrt(2n) and y_0 by sqrt(2) more (ortho). Shapes: n real in, n out, im = 0.
Truth dct2(const ComplexArray<double>& x, std::size_t n, const TruthOptions& options = {},
           Norm norm = Norm::backward);

/// Cosine transform of type 3: y_k = x_0 + 2 sum_(j>=1) x_j cos(pi j (2k+1) / (2n)), so that
/// dct3(dct2(x)) = 2n x; divided by 2n (forward), or by sqrt(2n) after sqrt(2) x_0 (ortho).
/// Shapes: n real in, n out, im = 0.
Truth dct3(const ComplexArray<double>& x, std::size_t n, const TruthOptions& options = {},
           Norm norm = Norm::backward);

}  // namespace fftprec::truth

/// rader: the DFT of a prime length as a convolution of length n - 1.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "algorithms/fft/convolution.hpp"
#include "algorithms/fft/number_theory.hpp"
#include "algorithms/fft/transpose.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// With g a generator modulo n, a_q = x_(g^q) and b_q = exp(-+2 pi i g^-q / n), q < L = n - 1:
/// X_0 = x_0 + sum_q a_q, X_(g^-q) = x_0 + sum_p a_p b_(q-p).
///
/// Order: a is zero-padded to M = 2^m >= 2L - 1 (not padded where L is a power of two); A = inner
/// FFT of a; z = inner inverse of A times the inner FFT of b; then x_0 + A_0 and x_0 + z_q. So the
/// inner FFT forms A_0, the sum of a. The inverse ends with one product by fl(1/n) per part. g is
/// the smallest generator.
/// Rounds: two inner FFTs, one product per point, and n complex sums; a third FFT when the table is
/// made.
/// Error: let core be the bound of the convolution and B_f that of the inner FFT. Before the sums
/// the error is at most sqrt(core^2 L + B_f^2 M) ||a||, because |A_0^ - A_0| <= B_f sqrt(M) ||a||.
/// The result has the norm sqrt(n) ||x||, and ||x|| >= ||a||. The sums are one more stage.
/// Source: Rader, Proc. IEEE 56 (1968), 1107-1108.
template <ArrayArithmetic Arithmetic>
class Rader {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n, const FftModel& inner) {
    if (n < 3 || n >= largest || !is_prime(n))
      return "rader needs a prime n, 3 <= n < 2^32, got " + std::to_string(n);
    return unsupported_inner("rader", n, shape(n), inner);
  }

  static ConvolutionShape shape(std::size_t n) {
    const std::size_t inputs = n - 1;
    if (std::has_single_bit(inputs)) return {inputs, inputs, inputs};
    return padded_convolution(inputs);
  }

  /// b_q, q < n - 1.
  static TableSpec roots_of(std::size_t n) {
    const std::vector<std::size_t> exponents = powers(n, inverse_mod(primitive_root(n), n));
    return {n - 1,
            [exponents, n](std::size_t q) {
              return RootIndex{exponents[q], n};
            },
            {1, n - 1}};
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            const FftModel& inner) {
    if (predictor.arithmetic().scale().scales_stages())
      throw NotApplicable(
          "rader adds x_0 to a convolution, which scaled stages leave at another scale");
    const ConvolutionShape convolution = shape(n);
    const auto [forward, core] =
        predict_convolution(predictor, convolution, roots_of(n), batch, inner);
    const double share = static_cast<double>(n - 1) / static_cast<double>(n);
    const double padding = static_cast<double>(convolution.length) / static_cast<double>(n);
    ErrorModel result = core;
    result.theorem = "convolution";
    result.bound =
        fftprec::orthogonal_sum(std::sqrt(share) * core.bound, std::sqrt(padding) * forward.bound);
    // X_0 alone may have all of the error below the normal numbers there.
    result.absolute_bound += std::sqrt(padding) * forward.absolute_bound;
    // This share of the data's energy takes part, and this share of the outputs.
    result.variance *= share * share;
    result.variance_unless_real *= share * share;
    {
      const auto mark = predictor.stage(sums_with_first, after_convolution);
      result = result.compose(predictor.sums(1, 2 * batch * n)).compose(predictor.reorder());
    }
    const auto mark = predictor.stage(norm_scaling, after_convolution + 1);
    return result.compose(predictor.scale(n, batch * n));
  }

  /// Throws InputError unless n is an odd prime, and for a length that the inner FFT refuses.
  Rader(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots,
        const MakeFft<Arithmetic>& inner)
      : n_(checked(n)),
        length_(shape(n).length),
        dft_(dft),
        in_(powers(n, primitive_root(n))),
        out_(powers(n, inverse_mod(primitive_root(n), n))),
        convolution_(arithmetic, response(arithmetic, n, dft, roots), roots, inner) {}

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t batch = x.size() / n_;
    ComplexArray<Real> work(batch * length_);
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t q = 0; q < n_ - 1; ++q) put(work, b * length_ + q, x, b * n_ + in_[q]);
    convolution_.to_spectrum(arithmetic, work);

    // Element 0 of a row of `sums` is A_0, the others z; element k of `first` is x_0.
    ComplexArray<Real> sums(batch * n_);
    for (std::size_t b = 0; b < batch; ++b) put(sums, b * n_, work, b * length_);
    convolution_.from_spectrum(arithmetic, work);
    ComplexArray<Real> first(batch * n_);
    for (std::size_t b = 0; b < batch; ++b) {
      for (std::size_t q = 0; q < n_ - 1; ++q) put(sums, b * n_ + out_[q], work, b * length_ + q);
      for (std::size_t k = 0; k < n_; ++k) put(first, b * n_ + k, x, b * n_);
    }
    {
      const auto mark = arithmetic.stage(sums_with_first, after_convolution);
      arithmetic.add(view_of(x, batch, n_), view_of(first, batch, n_), view_of(sums, batch, n_));
      mark.leaves(view_of(x, batch, n_), Places{n_});
    }
    const auto mark = arithmetic.stage(norm_scaling, after_convolution + 1);
    arithmetic.scale(view_of(x, batch, n_), dft_, n_);
  }

 private:
  static constexpr std::string_view sums_with_first = "sums with x_0";
  static constexpr std::uint64_t largest = std::uint64_t{1} << 32;

  static std::size_t checked(std::size_t n) {
    require(n >= 3 && n < largest && is_prime(n),
            "rader needs a prime n, 3 <= n < 2^32, got " + std::to_string(n));
    return n;
  }

  /// base^q mod n, q < n - 1.
  static std::vector<std::size_t> powers(std::size_t n, std::size_t base) {
    std::vector<std::size_t> result(n - 1, 1);
    for (std::size_t q = 1; q < n - 1; ++q)
      result[q] = static_cast<std::size_t>(std::uint64_t{result[q - 1]} * base % n);
    return result;
  }

  /// b_q at q and, where it is padded, b_(-p) = b_(L-p) at M - p.
  static ComplexArray<Real> response(const Arithmetic& arithmetic, std::size_t n,
                                     Direction direction, const RootFunction& roots) {
    const auto mark = arithmetic.stage(response_taps, response_stage);
    const ComplexArray<Real> taps = arithmetic.values(roots_of(n), direction, roots);
    const std::size_t length = shape(n).length;
    ComplexArray<Real> response(length);
    for (std::size_t q = 0; q < n - 1; ++q) {
      put(response, q, taps, q);
      if (q > 0) put(response, length - (n - 1) + q, taps, q);
    }
    return response;
  }

  std::size_t n_;
  std::size_t length_;
  Dft dft_;
  std::vector<std::size_t> in_;   ///< g^q: where a_q comes from
  std::vector<std::size_t> out_;  ///< g^-q: where z_q goes
  Convolution<Arithmetic> convolution_;
};

}  // namespace fftprec

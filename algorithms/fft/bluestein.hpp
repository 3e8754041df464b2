/// bluestein: the chirp-z algorithm, a DFT of any length as a convolution.
#pragma once

#include "algorithms/fft/convolution.hpp"
#include "algorithms/fft/transpose.hpp"

namespace fftprec {

/// X_k = c_k sum_j (x_j c_j) conj(c_(k-j)), c_j = exp(-+pi i j^2/n), because jk = (j^2 + k^2 -
/// (k-j)^2)/2. The table source gets j^2 itself, not j^2 modulo 2n.
///
/// Order: a_j = c_j x_j, zero-padded to M = 2^m >= 2n - 1; inner forward FFT; product with H, the
/// inner FFT of the conjugate chirp h_j = h_(M-j) = conj(c_j); inner inverse FFT; product with c_k.
/// The inverse transform takes conjugate chirps and ends with one product by fl(1/n) per part.
/// Rounds: the products as the arithmetic forms them (kahan: all three by 2Prod), the two inner
/// FFTs, and a third FFT when the table H is made.
/// Error: (1 + g)^2 (1 + core) - 1, g of a chirp product and core of the convolution between them
/// (convolution.hpp). All three are stages, since a -> conj(c_k) X_k is sqrt(n) times a unitary
/// map.
/// Source: Bluestein 1968 (NEREM Record 10, 218-219; IEEE Trans. AU-18, 1970, 451-455).
template <ArrayArithmetic Arithmetic>
class Bluestein {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n, const FftModel& inner) {
    if (n == 0) return "bluestein needs n >= 1";
    return unsupported_inner("bluestein", n, padded_convolution(n), inner);
  }

  /// c_j, j < n.
  static TableSpec chirp(std::size_t n) {
    const double last = static_cast<double>(n - 1);
    return {n,
            [n](std::size_t j) {
              return RootIndex{j, j, 2 * n, AngleOrder::row_column};
            },
            {last * last / static_cast<double>(2 * n), 2 * n - 1, AngleOrder::row_column}};
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            const FftModel& inner) {
    const TableSpec table = chirp(n);
    const auto product = [&](std::string_view name, std::size_t number) {
      const auto mark = predictor.stage(name, number);
      return predictor.product(table, 1, batch * n);
    };
    ErrorModel first = predictor.stage_ended(product(before, 1), end_of_pass);
    first.theorem = "convolution";
    ErrorModel last = product(after, after_convolution);
    last.table_entries = 0;  // the same table
    ConvolutionShape shape = padded_convolution(n);
    shape.chirp = true;
    const ErrorModel done =
        first.compose(predict_convolution(predictor, shape, table, batch, inner).whole)
            .compose(last);
    const auto mark = predictor.stage(norm_scaling, after_convolution + 1);
    return done.compose(predictor.scale(n, batch * n));
  }

  /// Throws InputError for n = 0 and for a length that the inner FFT refuses.
  Bluestein(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots,
            const MakeFft<Arithmetic>& inner)
      : n_(n),
        length_(padded_convolution(n).length),
        dft_(dft),
        chirp_(arithmetic.factors(chirp(n), dft, roots)),
        convolution_(arithmetic, response(arithmetic, n, dft, roots), roots, inner) {}

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t batch = x.size() / n_;
    ComplexArray<Real> padded(batch * length_);
    // Called again after the inner FFTs, which may put their result into other storage.
    const auto used = [&] {
      return View<Real>{padded.re.data(), padded.im.data(), batch, n_, length_};
    };
    const auto multiply = [&](std::string_view name, std::size_t number) {
      const auto mark = arithmetic.stage(name, number);
      arithmetic.multiply(used(), chirp_.view(0, 0, 1));
      mark.leaves(used(), Places{n_});
    };
    copy(view_of(x, batch, n_), used());
    multiply(before, 1);
    arithmetic.end_stage(used(), end_of_pass);
    convolution_.to_spectrum(arithmetic, padded);
    convolution_.from_spectrum(arithmetic, padded);
    multiply(after, after_convolution);
    copy(used(), view_of(x, batch, n_));
    const auto mark = arithmetic.stage(norm_scaling, after_convolution + 1);
    arithmetic.scale(view_of(x, batch, n_), dft_, n_);
  }

 private:
  static constexpr std::string_view before = "chirp before";
  static constexpr std::string_view after = "chirp after";

  static ComplexArray<Real> response(const Arithmetic& arithmetic, std::size_t n,
                                     Direction direction, const RootFunction& roots) {
    const Direction opposite =
        direction == Direction::forward ? Direction::inverse : Direction::forward;
    const auto mark = arithmetic.stage(response_taps, response_stage);
    const ComplexArray<Real> taps = arithmetic.values(chirp(n), opposite, roots);
    const std::size_t length = padded_convolution(n).length;
    ComplexArray<Real> response(length);
    for (std::size_t j = 0; j < n; ++j)
      for (const std::size_t place : {j, (length - j) % length}) put(response, place, taps, j);
    return response;
  }

  std::size_t n_;
  std::size_t length_;
  Dft dft_;
  typename Arithmetic::Table chirp_;
  Convolution<Arithmetic> convolution_;
};

}  // namespace fftprec

/// Circular convolution by FFT with a fixed response: the core that Bluestein's and Rader's
/// algorithms share.
#pragma once

#include <utility>

#include "algorithms/fft/fft.hpp"

namespace fftprec {

/// A convolution of `inputs` values, zero-padded to a power of two, with `taps` unit-modulus
/// values; the first `inputs` results are used.
struct ConvolutionShape {
  std::size_t inputs;
  std::size_t taps;
  std::size_t length;  ///< of the inner FFTs
  bool chirp = false;  ///< the taps are those of Bluestein's algorithm
};

/// Taps at -(inputs - 1), ..., inputs - 1, in a length of at least 2 inputs - 1, so that nothing
/// wraps around.
/// Throws InputError for no inputs.
ConvolutionShape padded_convolution(std::size_t inputs);

/// Why the inner FFT cannot serve, or an empty string. `name` is the algorithm's.
std::string unsupported_inner(const char* name, std::size_t n, const ConvolutionShape& shape,
                              const FftModel& inner);

/// The names and numbers of the stages of a convolution. The algorithm around it uses number 1 and
/// those from `after_convolution` on. The response counts from the stage in which the data are
/// multiplied by it.
inline constexpr std::string_view forward_fft = "forward FFT";
inline constexpr std::size_t forward_stage = 2;
inline constexpr std::string_view response_taps = "response: values";
inline constexpr std::size_t response_stage = 3;
inline constexpr std::string_view response_fft = "response: FFT";
inline constexpr std::size_t response_fft_stage = 4;
inline constexpr std::string_view spectra_product = "product of the spectra";
inline constexpr std::size_t product_stage = 5;
inline constexpr std::string_view inverse_fft = "inverse FFT";
inline constexpr std::size_t inverse_stage = 6;
inline constexpr std::size_t after_convolution = 7;
/// An FFT's result is rounded to the storage format after all stages of the FFT.
inline constexpr std::string_view fft_stored = "to the storage format";
inline constexpr std::size_t fft_stored_stage = std::size_t{1} << 16;

/// A matrix product that truncates loses nothing when it adds zeros, and how many sums with zeros
/// padded data cause is not derived. So no error is expected (variance unknown) where it could be
/// less than 0.8 times as large without `loss`, the bias of the FFTs of padded data.
void expect_less_of_padded(ErrorModel& whole, const ArithmeticSpec& arithmetic, double loss);

/// Bounds, expected errors and costs of a convolution.
struct ConvolutionPrediction {
  /// The inner forward FFT of the padded data, relative to all of its outputs.
  ErrorModel forward;
  /// The whole, as a stage relative to sqrt(inputs) ||data||_2, the size of its result where the
  /// map from data to used outputs is sqrt(inputs) times a unitary one.
  ErrorModel whole;
};

/// `batch` convolutions with a response whose taps are the entries of `response`.
/// Error: with B_f, B_i the inner bounds, B_h = (1 + mu)(1 + B_f) - 1 that of the spectrum,
/// eps = (1 + B_f)(1 + B_h)(1 + rho) - 1, L inputs and M the length:
/// sqrt(taps) (eps + B_i (1 + sqrt(M/L) eps)). The proof is in convolution.cpp.
/// Source: Percival (Math. Comp. 72, 2003) uses the Cauchy-Schwarz inequality in this way. Here the
/// inner FFT needs only a bound in the 2-norm.
ConvolutionPrediction predict_convolution(const Predictor& predictor, const ConvolutionShape& shape,
                                          const TableSpec& response, std::size_t batch,
                                          const FftModel& inner);

/// z = F^-1(H F(a)) with H = F(h). One inner FFT in one arithmetic computes every F. H is computed
/// once.
///
/// Rounds: the inner FFT, one product per element, the inner inverse FFT; both FFTs leave their
/// results in the storage format.
template <ArrayArithmetic Arithmetic>
class Convolution {
 public:
  using Real = typename Arithmetic::Real;

  /// `response`: h, in the storage format, of the length of the inner FFTs.
  Convolution(const Arithmetic& arithmetic, ComplexArray<Real> response, const RootFunction& roots,
              const MakeFft<Arithmetic>& inner)
      : length_(response.size()),
        forward_(in_stage(arithmetic, forward_fft, forward_stage,
                          [&] { return inner(arithmetic, length_, Direction::forward, roots); })),
        inverse_(in_stage(arithmetic, inverse_fft, inverse_stage,
                          [&] { return inner(arithmetic, length_, Direction::inverse, roots); })) {
    const auto mark = arithmetic.stage(response_fft, response_fft_stage);
    transform(arithmetic, forward_, response);
    spectrum_ = arithmetic.factors_of(std::move(response));
  }

  /// Each row of `length` elements <- its spectrum.
  void to_spectrum(const Arithmetic& arithmetic, ComplexArray<Real>& rows) const {
    const auto mark = arithmetic.stage(forward_fft, forward_stage);
    transform(arithmetic, forward_, rows);
  }

  /// Each row, a spectrum, <- the convolution.
  void from_spectrum(const Arithmetic& arithmetic, ComplexArray<Real>& rows) const {
    {
      const auto mark = arithmetic.stage(spectra_product, product_stage);
      const View<Real> spectra = view_of(rows, rows.size() / length_, length_);
      arithmetic.multiply(spectra, spectrum_.view(0, 0, 1));
      arithmetic.end_stage(spectra, end_of_pass);
      mark.leaves(spectra, Places{length_});
    }
    const auto mark = arithmetic.stage(inverse_fft, inverse_stage);
    transform(arithmetic, inverse_, rows);
  }

 private:
  void transform(const Arithmetic& arithmetic, const Fft<Arithmetic>& fft,
                 ComplexArray<Real>& rows) const {
    fft(arithmetic, rows);
    const auto mark = arithmetic.stage(fft_stored, fft_stored_stage);
    arithmetic.store(view_of(rows, rows.size() / length_, length_));
  }

  std::size_t length_;
  Fft<Arithmetic> forward_;
  Fft<Arithmetic> inverse_;
  typename Arithmetic::Table spectrum_;
};

}  // namespace fftprec

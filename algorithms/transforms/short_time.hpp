/// Short-time Fourier transforms over frames of a signal, and their least-squares inverse, as
/// torch.stft and torch.istft define them: one-sided, with FFTs in the given norm. Also how frames
/// are cut from a signal and added back, and when this is possible. Of these functions only
/// `overlap_sums` computes; the others copy.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "algorithms/fft/fft.hpp"
#include "algorithms/fft/transpose.hpp"
#include "algorithms/transforms/half_spectrum.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/double_word.hpp"
#include "arith/support/framing.hpp"

namespace fftprec {

/// The smallest sum of squared windows that may be a divisor, as in torch.istft.
inline constexpr double least_window_sum = 1e-11;

/// Samples of a signal with its padding.
inline std::size_t padded_length(const Framing& framing) {
  return framing.length + 2 * framing.margin();
}

/// Where the window begins in a frame.
inline std::size_t window_start(const Framing& framing) {
  return (framing.n - framing.window_length) / 2;
}

/// The largest number of windows over one sample: min(frames, ceil(window_length / hop)).
std::size_t most_overlaps(const Framing& framing);

/// Why a signal cannot be cut into these frames, or an empty string.
std::string unsupported_frames(const Framing& framing);

/// Why frames under this window of n values cannot be added and divided by the sum of the squared
/// windows, or an empty string. Samples after the last frame do not count. Requires:
/// unsupported_frames(framing).empty().
std::string unsupported_overlap(const Framing& framing, const std::vector<double>& window);

/// For each of `length` samples, the sum in double of the `values` that all frames over the sample
/// have there.
std::vector<double> overlap_sums(const Framing& framing, const std::vector<double>& values);

/// The frames of each row of `length` samples: element j of frame f is the padded signal at
/// f hop + j.
/// Shapes: items of `length` in, of frames x n out.
template <class Real>
ComplexArray<Real> framed(const ComplexArray<Real>& x, const Framing& framing);

extern template ComplexArray<float> framed(const ComplexArray<float>&, const Framing&);
extern template ComplexArray<double> framed(const ComplexArray<double>&, const Framing&);
extern template ComplexArray<FloatPair> framed(const ComplexArray<FloatPair>&, const Framing&);

/// The names of the stages.
inline constexpr std::string_view window_product = "window";
inline constexpr std::string_view frame_ffts = "FFTs of the frames";
inline constexpr std::string_view overlap_add = "overlap-add";
inline constexpr std::string_view window_division = "division by the squared windows";

/// y[f][k] = sum_j w_j x_(f hop + j - margin) exp(-2 pi i jk/n), k <= n/2.
///
/// Order: padding and framing, which copy; every frame times the window, a real table held as
/// w + 0i, by the complex product of the mode; the complex FFT of all frames; bins 0 .. n/2.
/// Shapes: items of `length` with im = 0 in, of frames x bins out.
/// Rounds: one complex product per element of a frame, then as the FFT does.
/// Error: see predict_stft. Operations: frames * n products and the FFTs.
template <ArrayArithmetic Arithmetic>
class Stft {
 public:
  using Real = typename Arithmetic::Real;

  /// Requires: unsupported_frames(framing).empty(), and a length that the FFT takes.
  Stft(const Arithmetic& arithmetic, const Framing& framing, const RootFunction& roots,
       const WindowSource& windows, const MakeFft<Arithmetic>& make, Norm norm = Norm::backward)
      : framing_(framing),
        window_(arithmetic.real_factors(
            [&](const Format& format) { return windows.window(framing, format); })),
        fft_(in_stage(arithmetic, frame_ffts, 2, [&] {
          return make(arithmetic, framing.n, Dft(Direction::forward, norm), roots);
        })) {}

  ComplexArray<Real> transform(const Arithmetic& arithmetic, const ComplexArray<Real>& x) const {
    ComplexArray<Real> frames = framed(x, framing_);
    const std::size_t n = framing_.n;
    {
      const auto mark = arithmetic.stage(window_product, 1);
      const View<Real> rows = view_of(frames, frames.size() / n, n);
      arithmetic.multiply(rows, window_.view(0, 0, 1));
      arithmetic.end_stage(rows, end_of_pass);
    }
    const auto mark = arithmetic.stage(frame_ffts, 2);
    fft_(arithmetic, frames);
    return one_sided(frames, n);
  }

 private:
  Framing framing_;
  typename Arithmetic::Table window_;
  Fft<Arithmetic> fft_;
};

/// y_i = r_i sum_f w_j v[f]_j, j = i + margin - f hop, v[f] the real inverse transform of frame f
/// and r_i = 1 / sum_f w_j^2 a table.
///
/// Order: the Hermitian extension of every frame, without the imaginary parts at 0 and n/2, which
/// copies; its inverse FFT, rounded to the storage format; times the window, by the complex product
/// of the mode; the frames added in their order to a padded signal of zeros; the margins cut off;
/// times r_i + 0i, by the complex product; the imaginary part dropped. Until then no operation
/// mixes real and imaginary parts.
/// Samples that no frame reaches are 0.
/// Shapes: items of frames x bins in, of `length` with im = 0 out.
/// Error: see predict_istft. Operations: the FFTs, frames * n products and as many complex sums,
/// `length` products.
/// Source: Griffin, Lim 1984 (IEEE Trans. ASSP 32(2), 236-243, eq. 6).
template <ArrayArithmetic Arithmetic>
class Istft {
 public:
  using Real = typename Arithmetic::Real;

  /// Requires: what Stft requires, and unsupported_overlap(...).empty().
  Istft(const Arithmetic& arithmetic, const Framing& framing, const RootFunction& roots,
        const WindowSource& windows, const MakeFft<Arithmetic>& make, Norm norm = Norm::backward)
      : framing_(framing),
        window_(arithmetic.real_factors(
            [&](const Format& format) { return windows.window(framing, format); })),
        reciprocals_(arithmetic.real_factors(
            [&](const Format& format) { return windows.reciprocals(framing, format); })),
        ifft_(in_stage(arithmetic, frame_ffts, 1, [&] {
          return make(arithmetic, framing.n, Dft(Direction::inverse, norm), roots);
        })) {}

  ComplexArray<Real> transform(const Arithmetic& arithmetic, const ComplexArray<Real>& half) const {
    const std::size_t n = framing_.n;
    const std::size_t items = half.size() / (framing_.frames() * framing_.bins());
    ComplexArray<Real> frames = two_sided(half, n);
    {
      const auto mark = arithmetic.stage(frame_ffts, 1);
      ifft_(arithmetic, frames);
    }
    const View<Real> rows = view_of(frames, frames.size() / n, n);
    {
      const auto mark = arithmetic.stage(window_product, 2);
      arithmetic.store(rows);
      arithmetic.multiply(rows, window_.view(0, 0, 1));
      arithmetic.end_stage(rows, end_of_pass);
    }

    const std::size_t padded = padded_length(framing_);
    ComplexArray<Real> sums(items * padded);
    for (std::size_t item = 0; item < items; ++item)
      for (std::size_t frame = 0; frame < framing_.frames(); ++frame) {
        const auto mark = arithmetic.stage(overlap_add, 3);
        const View<Real> sum =
            view_of(sums, items, padded).middle_rows(item, 1).middle_cols(frame * framing_.hop, n);
        arithmetic.add(sum, sum, rows.middle_rows(item * framing_.frames() + frame, 1));
      }

    ComplexArray<Real> y(items * framing_.length);
    copy(view_of(sums, items, padded).middle_cols(framing_.margin(), framing_.length),
         view_of(y, items, framing_.length));
    const auto mark = arithmetic.stage(window_division, 4);
    arithmetic.multiply(view_of(y, items, framing_.length), reciprocals_.view(0, 0, 1));
    drop_imaginary(y);
    return y;
  }

 private:
  Framing framing_;
  typename Arithmetic::Table window_;
  typename Arithmetic::Table reciprocals_;
  Fft<Arithmetic> ifft_;
};

/// Bound, expected error and cost of `batch` signals. The bound is relative to g ||X||, with g the
/// gain of the FFT under the predictor's norm and X the samples of all frames that lie under the
/// window, before the product. With b the bound of the FFT, mu of the window's entries and rho of
/// the product, it is
/// (1 + mu)(1 + rho)(1 + b) - 1.
ErrorModel predict_stft(const Predictor& predictor, const Framing& framing, std::size_t batch,
                        const FftModel& fft);

/// As predict_stft, for the inverse. The bound is relative to g ||V|| / sqrt(s), with g the gain of
/// the FFT, V the Hermitian extension of all frames and s the smallest sum of squared windows over
/// a sample that a frame reaches. With at most c overlaps, kappa = mu sqrt(c/s) and delta the bound
/// of reciprocals, it is (1 + b)(1 + kappa)(1 + rho)^2 (1 + u)^(c-1) (1 + delta) - 1.
ErrorModel predict_istft(const Predictor& predictor, const Framing& framing, std::size_t batch,
                         const FftModel& fft);

/// The smallest positive sum of squared windows over a sample.
double least_overlap(const Framing& framing, const std::vector<double>& window);

}  // namespace fftprec

/// How a signal is cut into frames for a short-time Fourier transform, as data, defined as in
/// torch.stft; with the formula for the number of frames.
#pragma once

#include <cstddef>

namespace fftprec {

/// Periodic windows w_j, 0 <= j < m, with t = 2 pi j / m:
///   rectangular 1; hann (1 - cos t)/2; hamming 0.54 - 0.46 cos t;
///   blackman 0.42 - 0.5 cos t + 0.08 cos 2t; bartlett 1 - |2j/m - 1|.
enum class Window { rectangular, hann, hamming, blackman, bartlett };

/// The samples before and after the signal, for centred frames that reach beyond it.
enum class Padding { reflect, constant, replicate, circular };

struct Framing {
  std::size_t n = 0;       ///< transform length, n_fft
  std::size_t hop = 0;     ///< samples from one frame to the next
  std::size_t length = 0;  ///< samples of one signal
  Window window = Window::hann;
  std::size_t window_length = 0;  ///< m <= n: the window stands in the middle of the frame, at
                                  ///< (n - m) / 2, zeros around it
  bool center = true;  ///< frame k is centred on sample k * hop: n / 2 samples of padding each side
  Padding padding = Padding::reflect;

  /// Samples of padding on each side.
  std::size_t margin() const { return center ? n / 2 : 0; }
  /// Frames of one signal: 1 + (length + 2 margin - n) / hop. Requires: one frame fits.
  std::size_t frames() const { return 1 + (length + 2 * margin() - n) / hop; }
  /// Bins of a one-sided spectrum.
  std::size_t bins() const { return n / 2 + 1; }
};

}  // namespace fftprec

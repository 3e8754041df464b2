/// Frames of a signal: how they are cut out, laid over each other again, and when that is possible.
/// Nothing here but `overlap_sums` computes; the rest copies.
#pragma once

#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/double_word.hpp"
#include "arith/formats/quad.hpp"
#include "arith/support/framing.hpp"

namespace fftprec {

/// Below it a sum of squared windows cannot be divided by (torch.istft refuses it too).
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

/// Why a signal cannot be cut into such frames, or an empty string.
std::string unsupported_frames(const Framing& framing);

/// Why frames under the window of these n values cannot be laid over each other and divided by
/// what the squared windows sum up to, or an empty string. Samples after the last frame do not
/// count. Requires: frames that are supported.
std::string unsupported_overlap(const Framing& framing, const std::vector<double>& window);

/// For each of `length` samples, the sum of `values` (of a frame) over all frames that lie on it,
/// in double.
std::vector<double> overlap_sums(const Framing& framing, const std::vector<double>& values);

/// The frames of each row of `length` samples: element j of frame f is the padded signal at
/// f hop + j.
/// Shapes: items of `length` in, of frames x n out.
template <class Real>
ComplexArray<Real> framed(const ComplexArray<Real>& x, const Framing& framing);

extern template ComplexArray<float> framed(const ComplexArray<float>&, const Framing&);
extern template ComplexArray<double> framed(const ComplexArray<double>&, const Framing&);
extern template ComplexArray<FloatPair> framed(const ComplexArray<FloatPair>&, const Framing&);
extern template ComplexArray<Quad> framed(const ComplexArray<Quad>&, const Framing&);

}  // namespace fftprec

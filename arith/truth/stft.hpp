/// The truth of short-time Fourier transforms, as torch.stft and torch.istft define them.
///
/// Inputs, errors and precision as in transforms.hpp. An item is a signal of framing.length real
/// samples, or all its frames. The window is the formula of framing.hpp, not a rounded table.
/// Throws InputError, beside what transforms.hpp lists, if n, hop, length or window_length is 0,
/// the window is longer than n, no frame fits, or the padding asks for more than the signal has:
/// reflect needs margin < length, circular margin <= length.
#pragma once

#include "arith/formats/complex_array.hpp"
#include "arith/support/framing.hpp"
#include "arith/truth/certify.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::truth {

/// y[f][k] = sum_j w_j x_(f hop + j - margin) exp(-2 pi i jk/n), x continued beyond its ends by the
/// padding. Onesided and not normalised; torch orders the result [k][f], this is [f][k].
/// Shapes: length in, frames x bins out. y[f][0] and, for even n, y[f][n/2] have im = 0 exactly.
Truth stft(const ComplexArray<double>& x, const Framing& framing, const TruthOptions& options = {});

/// Its least-squares inverse: with v[f] the inverse real transform of frame f (as irfft: divided by
/// n, no imaginary part at 0 and n/2),
///   y_i = sum_f w_j v[f]_j / sum_f w_j^2,   j = i + margin - f hop in 0 .. n-1.
/// Samples of the tail that no frame reaches (hop larger than what the margin covers) are 0, as
/// torch pads them. The kind of padding does not matter.
/// Shapes: frames x bins in, length out, im = 0.
/// Throws InputError if the sum of squares is below 1e-11 at a sample that a frame reaches.
Truth istft(const ComplexArray<double>& x, const Framing& framing,
            const TruthOptions& options = {});

/// The same before they are certified, in any arithmetic. They refer to x.
namespace evaluation {
Evaluation stft(const ComplexArray<double>& x, const Framing& framing);
Evaluation istft(const ComplexArray<double>& x, const Framing& framing);
}  // namespace evaluation

}  // namespace fftprec::truth

/// FFmpeg's av_tx, of libavutil, as algorithms. As with FFTW, the order of operations is not known:
/// each peer represents one mode and has no bound, expected error or cost. libavutil does not
/// promise that threads may share a context, so every call makes one. The inverse is divided by n
/// at the end.
#pragma once

#include "experiments/algorithms/algorithm_entry.hpp"

namespace fftprec {

/// In float, for mode fp32.
AlgorithmEntry ffmpeg_f32();
/// In double, for mode fp64.
AlgorithmEntry ffmpeg_f64();
/// In 32-bit integers, for mode q1.31: data k 2^-31 in [-1, 1) are passed to av_tx as k.
/// Scales: never (av_tx ignores `scale` for an FFT). A sum outside [-1, 1) wraps.
/// Rounds: each part of a product, ties up, and the quotient by n, ties to even. The tables are
/// cosines in float, which limits the relative error to about 2^-25.
/// Throws InputError for data off that grid.
AlgorithmEntry ffmpeg_i32();

}  // namespace fftprec

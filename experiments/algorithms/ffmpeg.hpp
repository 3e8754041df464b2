/// FFmpeg's av_tx, of libavutil, as algorithms. Like FFTW's, its order of operations is its own:
/// each peer stands for one mode, without bound, expectation or cost. Nothing promises that two
/// threads may share a context, so every call makes one. The inverse is divided by n at the end.
#pragma once

#include "experiments/algorithms/algorithm_entry.hpp"

namespace fftprec {

/// In float, for mode fast.
AlgorithmEntry ffmpeg_f32();
/// In double, for mode double.
AlgorithmEntry ffmpeg_f64();
/// In 32-bit integers, for mode q1.31: of data k 2^-31 in [-1, 1) av_tx gets k.
/// Scales: not at all (av_tx ignores `scale` for an FFT); a sum that leaves [-1, 1) wraps.
/// Rounds: each part of a product, ties up, and the quotient by n, ties to even. The tables are
/// cosines in float, which limits the relative error to about 2^-25.
/// Throws InputError for data off that grid.
AlgorithmEntry ffmpeg_i32();

}  // namespace fftprec

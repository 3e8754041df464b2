/// FFTW as algorithms: peers that every user knows, in sweeps and rows beside the algorithms here.
///
/// FFTW plans with FFTW_ESTIMATE, whose choice depends on the length and on the instruction set
/// that it finds. So bits may differ between machines, and there is no bound, expected error or
/// cost. FFTW is not emulated: each peer represents one mode.
#pragma once

#include <mutex>

#include "experiments/algorithms/algorithm_entry.hpp"

namespace fftprec {

/// To be locked while FFTW makes or destroys a plan, since only the execution of a plan is safe to
/// call from several threads. Algorithms of users that plan with FFTW lock it, too.
std::mutex& fftw_planner();

/// In float, for mode fp32.
AlgorithmEntry fftw_f32();
/// In double, for mode fp64.
AlgorithmEntry fftw_f64();
/// In binary128, for mode fp64: the result rounds once, on its way out.
AlgorithmEntry fftw_f128();

}  // namespace fftprec

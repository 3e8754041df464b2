/// FFTW as algorithms: the peers that every user knows, in the same sweeps and rows as our own.
///
/// What FFTW does inside is its own: it plans with FFTW_ESTIMATE, which depends on the length and
/// on the instruction set that it finds, so bits may differ from machine to machine, and there is
/// no bound, no expectation and no cost. Nothing of it is emulated: the peers stand for one mode
/// each.
#pragma once

#include <mutex>

#include "experiments/algorithms/algorithm_entry.hpp"

namespace fftprec {

/// Held while FFTW makes or destroys a plan: of its functions only the execution of a plan is safe
/// to call from several threads. Own algorithms that plan with FFTW hold it, too.
std::mutex& fftw_planner();

/// In float, for mode fast.
AlgorithmEntry fftw_f32();
/// In double, for mode double.
AlgorithmEntry fftw_f64();
/// In binary128, for mode double: the result rounds once, on its way out.
AlgorithmEntry fftw_f128();

}  // namespace fftprec

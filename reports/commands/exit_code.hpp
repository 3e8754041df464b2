/// The exit codes of the program fftprec.
#pragma once

namespace fftprec {

enum class ExitCode : int {
  ok = 0,
  gate_failed = 1,
  usage = 2,             ///< bad options, names, files or floating-point environment
  cases_failed = 3,      ///< the run is complete, some rows have status failed
  nothing_matched = 4,   ///< no case or row is left to work on
  baseline_missing = 5,  ///< a baseline is missing or cannot be compared
  interrupted = 130,     ///< the same command resumes
};

constexpr int to_int(ExitCode code) { return static_cast<int>(code); }

}  // namespace fftprec

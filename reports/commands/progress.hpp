/// The progress of a long command, and its interruption.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <iosfwd>
#include <string>

#include "experiments/sweeps/run.hpp"

namespace fftprec::commands {

/// Remaining seconds, estimated from the cost done in `seconds` since the start; negative while
/// there is no estimate.
double eta_seconds(const RunState& state, double seconds);

/// "[#####     ] 120/240  35.1 cases/s  ETA 3 s"
std::string progress_bar(const RunState& state, double seconds);

/// "120/240 cases (50 %), 35.1 cases/s, ETA 3 s"
std::string progress_line(const RunState& state, double seconds);

/// "0.3 s", "12 s", "3 min 20 s" or "2 h 5 min".
std::string duration_text(double seconds);

/// Whether the stream is standard error and standard error is a terminal.
bool is_terminal(const std::ostream& stream);

/// The progress of one or several runs: a bar on a terminal; elsewhere a line after about each
/// tenth, at least a second apart, and the last line.
class Progress {
 public:
  Progress(std::ostream& stream, bool terminal);
  explicit Progress(std::ostream& stream) : Progress(stream, is_terminal(stream)) {}

  /// A case is finished.
  void show(const RunState& state);

  /// Ends the bar's line.
  void finish();

 private:
  std::ostream& stream_;
  bool terminal_;
  bool in_line_ = false;  ///< the bar's line has not ended
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point shown_;
  std::size_t tenths_ = 0;
};

/// Turns Ctrl-C and SIGTERM into a flag, so that a run can finish its running cases and keep all
/// rows. While a guard exists, the first SIGINT or SIGTERM sets the flag, and a second one ends the
/// program as usual. If the command does not end within patience_s seconds, the process ends with
/// code 130; the rows kept so far stay. Without `may_end_process`, signals only set the flag. Only
/// one guard may exist at a time.
class InterruptGuard {
 public:
  explicit InterruptGuard(bool may_end_process);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static const std::atomic<bool>& flag();

  static constexpr unsigned patience_s = 10;

 private:
  struct sigaction old_interrupt_;
  struct sigaction old_terminate_;
  struct sigaction old_alarm_;
};

}  // namespace fftprec::commands

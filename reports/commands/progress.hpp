/// What a long command shows, and how it is interrupted.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <iosfwd>
#include <string>

#include "experiments/sweeps/run.hpp"

namespace fftprec::commands {

/// Remaining seconds, by the cost done in the `seconds` since the start; negative while it cannot
/// be told.
double eta_seconds(const RunState& state, double seconds);

/// "[#####     ] 120/240  35.1 cases/s  ETA 3 s"
std::string progress_bar(const RunState& state, double seconds);

/// "120/240 cases (50 %), 35.1 cases/s, ETA 3 s"
std::string progress_line(const RunState& state, double seconds);

/// "0.3 s", "12 s", "3 min 20 s" or "2 h 5 min".
std::string duration_text(double seconds);

/// Whether the stream is standard error, and that a terminal.
bool is_terminal(const std::ostream& stream);

/// How far runs are, one after the other: a bar on a terminal; elsewhere a line about every tenth,
/// a second apart or more, and the last.
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

/// Ctrl-C and SIGTERM as a flag: the run ends after the cases it is busy with, and loses nothing.
/// While one exists, the first SIGINT or SIGTERM sets the flag; a second one ends the program as
/// usual. Whoever looks at the flag has patience_s seconds to end; then the process ends with code
/// 130, and what is kept of finished rows stays. Within another program nothing ends the process.
/// One at a time.
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

/// What a long command shows, and how it is interrupted.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>

#include "experiments/sweeps/run.hpp"

namespace fftprec::commands {

/// Where a run stands.
struct ProgressState {
  std::size_t done = 0;
  std::size_t total = 0;
  double done_cost = 0;  ///< by the same estimate as total_cost
  double total_cost = 0;
  double seconds = 0;  ///< since the start
};

/// Remaining seconds, by the cost done so far; negative while it cannot be told.
double eta_seconds(const ProgressState& state);

/// "[#####     ] 120/240  35.1 cases/s  ETA 3 s"
std::string progress_bar(const ProgressState& state);

/// "120/240 cases (50 %), 35.1 cases/s, ETA 3 s"
std::string progress_line(const ProgressState& state);

/// "0.3 s", "12 s", "3 min 20 s" or "2 h 5 min".
std::string duration_text(double seconds);

/// Whether the stream is standard error, and that a terminal.
bool is_terminal(const std::ostream& stream);

/// How far a run is: a bar on a terminal; elsewhere a line about every tenth, a second apart or
/// more, and the last.
class Progress {
 public:
  Progress(std::ostream& stream, bool terminal, std::span<const Case> cases, const RunCosts& costs);
  Progress(std::ostream& stream, std::span<const Case> cases, const RunCosts& costs)
      : Progress(stream, is_terminal(stream), cases, costs) {}

  /// The case is finished.
  void advance(const Case& where);

  /// Ends the bar's line.
  void finish();

 private:
  std::ostream& stream_;
  bool terminal_;
  CostSum done_;
  ProgressState state_;
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

/// Ctrl-C and SIGTERM as a flag: the run ends after the cases it is busy with, and loses nothing.
#pragma once

#include <atomic>
#include <csignal>

namespace fftprec {

/// While one exists, the first SIGINT or SIGTERM sets the flag; a second one ends the program as
/// usual. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static const std::atomic<bool>& flag();

 private:
  struct sigaction old_interrupt_;
  struct sigaction old_terminate_;
};

}  // namespace fftprec

#include "reports/commands/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string_view>

#include "reports/commands/commands.hpp"

namespace fftprec::commands {

namespace {

double rate(const ProgressState& state) {
  return state.seconds > 0 ? static_cast<double>(state.done) / state.seconds : 0.0;
}

std::string eta_text(const ProgressState& state) {
  const double seconds = eta_seconds(state);
  return seconds < 0 ? "unknown" : duration_text(seconds);
}

// A signal handler can reach nothing but a global.
std::atomic<bool> was_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

double eta_seconds(const ProgressState& state) {
  if (state.done == state.total) return 0;
  if (!(state.done_cost > 0) || !(state.seconds > 0)) return -1;
  return state.seconds * std::max(0.0, state.total_cost / state.done_cost - 1);
}

std::string duration_text(double seconds) {
  if (!(seconds < 1e9)) return "very long";
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string progress_bar(const ProgressState& state) {
  constexpr std::size_t width = 30;
  const std::size_t filled = state.total == 0 ? width : width * state.done / state.total;
  return fmt::format("[{:<{}}] {}/{}  {:.1f} cases/s  ETA {}", std::string(filled, '#'), width,
                     state.done, state.total, rate(state), eta_text(state));
}

std::string progress_line(const ProgressState& state) {
  const std::size_t percent = state.total == 0 ? 100 : 100 * state.done / state.total;
  return fmt::format("{}/{} cases ({} %), {:.1f} cases/s, ETA {}", state.done, state.total, percent,
                     rate(state), eta_text(state));
}

Progress::Progress(std::ostream& stream, bool terminal, std::span<const Case> cases,
                   const RunCosts& costs)
    : stream_(stream),
      terminal_(terminal),
      done_(costs),
      state_{0, cases.size(), 0, total_cost(cases, costs), 0},
      start_(std::chrono::steady_clock::now()),
      shown_() {}

void Progress::advance(const Case& where) {
  const auto now = std::chrono::steady_clock::now();
  ++state_.done;
  state_.done_cost += done_.add(where);
  state_.seconds = std::chrono::duration<double>(now - start_).count();
  if (terminal_) {
    if (now - shown_ < std::chrono::milliseconds(100) && state_.done < state_.total) return;
    shown_ = now;
    stream_ << "\r\x1b[K" << progress_bar(state_) << std::flush;
  } else if (const std::size_t tenths = 10 * state_.done / state_.total; tenths > tenths_) {
    if (now - std::max(shown_, start_) < std::chrono::seconds(1) && state_.done < state_.total)
      return;
    shown_ = now;
    tenths_ = tenths;
    stream_ << progress_line(state_) << std::endl;
  }
}

void Progress::finish() {
  if (terminal_ && state_.done > 0) stream_ << '\n';
}

bool is_terminal(const std::ostream& stream) {
  return &stream == &std::cerr && ::isatty(STDERR_FILENO) == 1;
}

InterruptGuard::InterruptGuard(bool may_end_process) {
  was_interrupted = false;
  struct sigaction action {};
  action.sa_handler = [](int) { was_interrupted = true; };
  action.sa_flags = SA_RESTART;
  if (may_end_process) {
    action.sa_handler = [](int) {
      was_interrupted = true;
      ::alarm(patience_s);
    };
    action.sa_flags |= static_cast<int>(SA_RESETHAND);
  }
  ::sigaction(SIGINT, &action, &old_interrupt_);
  ::sigaction(SIGTERM, &action, &old_terminate_);
  action.sa_handler = [](int) {
    constexpr std::string_view said = "interrupted: what was running is given up\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, said.data(), said.size());
    ::_exit(to_int(ExitCode::interrupted));
  };
  ::sigaction(SIGALRM, &action, &old_alarm_);
}

InterruptGuard::~InterruptGuard() {
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
  ::alarm(0);
  ::sigaction(SIGALRM, &old_alarm_, nullptr);
}

const std::atomic<bool>& InterruptGuard::flag() { return was_interrupted; }

}  // namespace fftprec::commands

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

double rate(const RunState& state, double seconds) {
  return seconds > 0 ? static_cast<double>(state.done) / seconds : 0.0;
}

std::string eta_text(const RunState& state, double seconds) {
  const double left = eta_seconds(state, seconds);
  return left < 0 ? "unknown" : duration_text(left);
}

// A signal handler can reach nothing but a global.
std::atomic<bool> was_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

double eta_seconds(const RunState& state, double seconds) {
  if (state.done == state.total) return 0;
  if (!(state.done_cost > 0) || !(seconds > 0)) return -1;
  return seconds * std::max(0.0, state.total_cost / state.done_cost - 1);
}

std::string duration_text(double seconds) {
  if (!(seconds < 1e9)) return "very long";
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string progress_bar(const RunState& state, double seconds) {
  constexpr std::size_t width = 30;
  const std::size_t filled = state.total == 0 ? width : width * state.done / state.total;
  return fmt::format("[{:<{}}] {}/{}  {:.1f} cases/s  ETA {}", std::string(filled, '#'), width,
                     state.done, state.total, rate(state, seconds), eta_text(state, seconds));
}

std::string progress_line(const RunState& state, double seconds) {
  const std::size_t percent = state.total == 0 ? 100 : 100 * state.done / state.total;
  return fmt::format("{}/{} cases ({} %), {:.1f} cases/s, ETA {}", state.done, state.total, percent,
                     rate(state, seconds), eta_text(state, seconds));
}

Progress::Progress(std::ostream& stream, bool terminal)
    : stream_(stream), terminal_(terminal), start_(std::chrono::steady_clock::now()), shown_() {}

void Progress::show(const RunState& state) {
  const auto now = std::chrono::steady_clock::now();
  if (state.done == 1 && in_line_) finish();
  if (state.done == 1) tenths_ = 0;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  if (terminal_) {
    if (now - shown_ < std::chrono::milliseconds(100) && state.done < state.total) return;
    shown_ = now;
    in_line_ = true;
    stream_ << "\r\x1b[K" << progress_bar(state, seconds) << std::flush;
  } else if (const std::size_t tenths = 10 * state.done / state.total; tenths > tenths_) {
    if (now - std::max(shown_, start_) < std::chrono::seconds(1) && state.done < state.total)
      return;
    shown_ = now;
    tenths_ = tenths;
    stream_ << progress_line(state, seconds) << std::endl;
  }
}

void Progress::finish() {
  if (in_line_) stream_ << '\n';
  in_line_ = false;
  start_ = std::chrono::steady_clock::now();
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
    constexpr std::string_view said = "interrupted: running cases are abandoned\n";
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

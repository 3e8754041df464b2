#include "experiments/algorithms/program_worker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <iterator>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"

extern char** environ;

namespace fftprec {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_line = 4096;
constexpr std::size_t kept_diagnostics = 2048;
constexpr std::string_view greeting = "fftprec-program 1 ";

/// A descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { reset(); }

  int number() const { return number_; }
  void reset() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

/// The end that this process keeps, and the one for the child.
struct Channel {
  Descriptor own, other;
};

[[noreturn]] void throw_system_error(const char* what) {
  throw InputError(std::string(what) + ": " + std::strerror(errno));
}

/// A socket for what the child reads: a write to a child that has ended gives an error, no SIGPIPE.
Channel channel_to_child() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw_system_error("socketpair");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Channel channel_from_child() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw_system_error("pipe");
  Channel channel{Descriptor(ends[0]), Descriptor(ends[1])};
  fcntl(channel.own.number(), F_SETFL, O_NONBLOCK);
  return channel;
}

std::string end_text(int status) {
  if (WIFSIGNALED(status)) return std::string("ended by ") + strsignal(WTERMSIG(status));
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

/// The last line that names an error, or else the last one that is not blank.
std::string last_words(const std::string& text) {
  std::istringstream lines(text);
  std::string last, error;
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    last = line;
    if (line.find("rror") != line.npos) error = line;
  }
  return printable(error.empty() ? last : error, 200);
}

}  // namespace

class ProgramWorker::Process {
 public:
  explicit Process(const ProgramCommand& command) {
    Channel input = channel_to_child();
    Channel output = channel_from_child();
    Channel errors = channel_from_child();
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, input.other.number(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output.other.number(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors.other.number(), STDERR_FILENO);
    if (!command.directory.empty())
      posix_spawn_file_actions_addchdir_np(&actions, command.directory.c_str());
    // A group of its own: Ctrl-C ends this process first, whose end closes the program's input.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<std::string> words = command.words;
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int error = posix_spawnp(&process_, argv[0], &actions, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) {
      process_ = -1;
      throw InputError("cannot start " + printable(words[0]) + ": " + std::strerror(error));
    }
    input_ = std::move(input.own);
    output_ = std::move(output.own);
    errors_ = std::move(errors.own);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  ~Process() {
    input_.reset();
    constexpr int waits = 100;
    for (int i = 0; i < waits && !ended(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kill_now();
  }

  /// Ends the program and its children. Returns how it ended.
  std::string kill_now() {
    if (process_ > 0 && !ended()) {
      kill(-process_, SIGKILL);
      int status = 0;
      while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
      }
      status_ = status;
    }
    return status_ ? end_text(*status_) : "";
  }

  /// Writes, and reads until the text that is there is `enough`. Throws InputError.
  template <class Enough>
  void exchange(std::string_view header, std::string_view bytes, Clock::time_point deadline,
                Enough enough) {
    std::array<std::string_view, 2> unsent{header, bytes};
    while (!enough()) {
      const bool sends = !unsent[0].empty() || !unsent[1].empty();
      std::array<pollfd, 3> files{{{output_.number(), POLLIN, 0},
                                   {errors_.number(), POLLIN, 0},
                                   {sends ? input_.number() : -1, POLLOUT, 0}}};
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) throw InputError("gives no answer in time");
      if (poll(files.data(), files.size(), static_cast<int>(std::min<long>(left, 1000))) < 0) {
        if (errno != EINTR) throw_system_error("poll");
        continue;
      }
      if (files[1].revents != 0) read_errors();
      if ((files[2].revents & POLLOUT) != 0) send_some(unsent[0].empty() ? unsent[1] : unsent[0]);
      if (files[0].revents != 0 && !read_some()) throw InputError(death());
    }
  }

  std::string& received() { return received_; }

 private:
  bool ended() {
    int status = 0;
    if (!status_ && process_ > 0 && waitpid(process_, &status, WNOHANG) == process_)
      status_ = status;
    return status_.has_value() || process_ <= 0;
  }

  /// A program that has ended and reads no more is told by its closed output.
  void send_some(std::string_view& text) {
    const ssize_t count =
        send(input_.number(), text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count >= 0)
      text.remove_prefix(static_cast<std::size_t>(count));
    else if (errno != EAGAIN && errno != EINTR)
      text = {};
  }

  /// False at the end of the output.
  bool read_some() {
    std::array<char, 1 << 16> buffer;
    const ssize_t count = read(output_.number(), buffer.data(), buffer.size());
    if (count > 0) received_.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
  }

  void read_errors() {
    std::array<char, 4096> buffer;
    const ssize_t count = read(errors_.number(), buffer.data(), buffer.size());
    if (count > 0) {
      diagnostics_.append(buffer.data(), static_cast<std::size_t>(count));
      if (diagnostics_.size() > kept_diagnostics)
        diagnostics_.erase(0, diagnostics_.size() - kept_diagnostics);
    } else if (count == 0) {
      errors_.reset();
    }
  }

  /// What is said of a program that closed its output.
  std::string death() {
    while (errors_.number() >= 0) {
      const std::size_t before = diagnostics_.size();
      read_errors();
      if (diagnostics_.size() == before) break;
    }
    for (int i = 0; i < 20 && !ended(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::string text = ended() ? end_text(*status_) : "closed its output";
    if (const std::string said = last_words(diagnostics_); !said.empty())
      text += "; its last words: " + said;
    return text;
  }

  Descriptor input_, output_, errors_;
  pid_t process_ = -1;
  std::optional<int> status_{};
  std::string received_;     ///< of its output, not yet used
  std::string diagnostics_;  ///< the last of what it wrote to standard error
};

namespace {

Clock::time_point deadline_after(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// Takes the first line out of the text. Requires: there is one.
std::string take_line(std::string& text) {
  const std::size_t end = text.find('\n');
  std::string line = text.substr(0, end);
  text.erase(0, end + 1);
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

bool has_line(const std::string& text) {
  return text.find('\n') != text.npos || text.size() > longest_line;
}

InputError not_understood(const std::string& line, std::string_view expected) {
  return InputError("answers '" + printable(line, 80) + "', expected '" + std::string(expected) +
                    "'");
}

/// Of the line "ok EXPECTED" or "ok EXPECTED SCALE".
double scale_of(const std::string& line, std::size_t expected,
                std::span<const MistakenSize> mistaken) {
  std::istringstream text(line);
  const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
  const auto count = words.size() > 1 && words[0] == "ok" ? parse_unsigned(words[1]) : std::nullopt;
  if (count && *count != expected) {
    const auto known = std::ranges::find(mistaken, *count, &MistakenSize::bytes);
    throw InputError(fmt::format("answers {} bytes, expected {}", *count, expected) +
                     (known == mistaken.end() ? "" : ": perhaps " + known->means));
  }
  const auto scale = words.size() == 3 ? parse_double(words[2]) : std::optional(1.0);
  if (count && words.size() <= 3 && scale && *scale > 0 && std::isfinite(*scale)) return *scale;
  throw not_understood(line,
                       fmt::format("ok {}', 'ok {} SCALE' or 'no REASON", expected, expected));
}

}  // namespace

ProgramWorker::ProgramWorker(const ProgramCommand& command)
    : process_(std::make_unique<Process>(command)), timeout_s_(command.timeout_s) {
  std::string& received = process_->received();
  process_->exchange("", "", deadline_after(timeout_s_), [&] { return has_line(received); });
  const std::string line = take_line(received);
  if (!line.starts_with(greeting) || line.size() == greeting.size())
    throw not_understood(line, std::string(greeting) + "VERSION");
  version_ = printable(line.substr(greeting.size()), 200);
}

ProgramWorker::~ProgramWorker() = default;
ProgramWorker::ProgramWorker(ProgramWorker&&) noexcept = default;
ProgramWorker& ProgramWorker::operator=(ProgramWorker&&) noexcept = default;

ProgramWorker::Answer ProgramWorker::ask(std::string_view header, std::string_view bytes,
                                         std::size_t expected,
                                         std::span<const MistakenSize> mistaken) {
  const auto deadline = deadline_after(timeout_s_);
  std::string& received = process_->received();
  broken_ = true;  // until the answer is whole
  std::optional<std::string> line;
  double scale = 1;
  const auto is_whole = [&] {
    if (!line && has_line(received)) {
      line = take_line(received);
      if (!line->starts_with("no ")) scale = scale_of(*line, expected, mistaken);
    }
    if (!line || line->starts_with("no ")) return line.has_value();
    if (received.size() > expected)
      throw InputError(fmt::format("sends more than the {} bytes that it announced", expected));
    return received.size() == expected;
  };
  try {
    process_->exchange(header, bytes, deadline, is_whole);
  } catch (const InputError&) {
    process_->kill_now();
    throw;
  }
  broken_ = false;
  if (line->starts_with("no ")) throw NotApplicable(printable(line->substr(3), 500));
  return {std::exchange(received, {}), scale};
}

}  // namespace fftprec

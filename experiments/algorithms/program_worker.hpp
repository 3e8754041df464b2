/// A process that answers requests on its standard input and output, and stays up
/// (docs/programs.md).
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

/// How a program is started.
struct ProgramCommand {
  std::vector<std::string> words;     ///< the program and its arguments; no shell reads them
  std::filesystem::path directory{};  ///< where it runs; empty: where this process does
  double timeout_s = 60;              ///< longest wait for an answer
};

/// A size of answers that a known mistake gives, and what it means.
struct MistakenSize {
  std::size_t bytes;
  std::string means;
};

/// A running program. Destruction closes its input, waits for a second, and then kills it.
class ProgramWorker {
 public:
  /// Starts the program and reads its first line, "fftprec-program 1 VERSION". Throws InputError if
  /// it cannot be started, ends, says anything else or nothing in time.
  explicit ProgramWorker(const ProgramCommand& command);
  ~ProgramWorker();
  ProgramWorker(ProgramWorker&&) noexcept;
  ProgramWorker& operator=(ProgramWorker&&) noexcept;

  const std::string& version() const { return version_; }

  struct Answer {
    std::string bytes;
    double scale;  ///< the values are the results times this
  };
  /// Sends `header`, a line, and `bytes`, and returns the `expected` bytes after the answer
  /// "ok EXPECTED" or "ok EXPECTED SCALE". Throws NotApplicable with the reason of the answer "no
  /// REASON", and InputError for any other answer, a late one, and a program that ends; the worker
  /// is then broken. The error for a size in `mistaken` says what it means.
  Answer ask(std::string_view header, std::string_view bytes, std::size_t expected,
             std::span<const MistakenSize> mistaken = {});

  /// Whether it has failed, so that it must not be asked again.
  bool is_broken() const { return broken_; }

 private:
  class Process;

  std::unique_ptr<Process> process_;
  double timeout_s_;
  std::string version_;
  bool broken_ = false;
};

}  // namespace fftprec

/// The built program, started as a user starts it.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "reports/results/csv.hpp"
#include "tests/support/read_csv.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {

struct Started {
  std::shared_ptr<TemporaryDirectory> streams;  ///< holds out and err
  pid_t process;

  /// The exit code, or 1000 + the signal that ended the program.
  int wait() const {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  std::string out() const { return text_of(*streams / "out"); }
  std::string err() const { return text_of(*streams / "err"); }
};

struct Limits {
  std::string out;                    ///< where stdout goes, instead of a file; "closed": nowhere
  rlim_t file_bytes = RLIM_INFINITY;  ///< as if the disk were full from there on
};

inline Started start(std::vector<std::string> words, const Limits& limits = {}) {
  Started started{std::make_shared<TemporaryDirectory>(), 0};
  words.insert(words.begin(), FFTPREC_PROGRAM);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string out = limits.out.empty() ? (*started.streams / "out").string() : limits.out;
  const std::string err = *started.streams / "err";
  started.process = ::fork();
  if (started.process == 0) {
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    if (out == "closed")
      ::close(STDOUT_FILENO);
    else
      ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    const rlimit limit{limits.file_bytes, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  return started;
}

inline int code_of(const std::vector<std::string>& words) { return start(words).wait(); }

/// The rows of a file, without what differs from run to run: the time.
inline std::string bits_of(const std::filesystem::path& csv) {
  std::vector<Row> rows = read_csv(csv);
  std::string text;
  for (Row& row : rows) {
    row.time_ns.reset();
    text += results::to_csv(row);
  }
  return text;
}

}  // namespace fftprec::testing

#include "reports/results/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "arith/support/error.hpp"
#include "experiments/support/files.hpp"

namespace fftprec::results {

Journal::Journal(const std::filesystem::path& path)
    : path_(path),
      file_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666)) {
  if (file_ < 0 && errno == ELOOP)
    throw InputError(path_.string() + ": is a symbolic link; a run keeps its rows in a file");
  if (file_ < 0) throw write_error(path_, errno);
  try {
    // A file without a link is one that another process was about to remove.
    struct stat status {};
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 || ::fstat(file_, &status) != 0 ||
        status.st_nlink == 0)
      throw InputError(path_.string() + ": another process is writing this run");
    if (!S_ISREG(status.st_mode)) throw InputError(path_.string() + ": is not a regular file");
    const std::string text = read_file(path_);
    const std::size_t end = text.rfind('\n');
    const std::size_t whole = end == std::string::npos ? 0 : end + 1;
    if (whole != text.size() && ::ftruncate(file_, static_cast<off_t>(whole)) != 0)
      throw write_error(path_, errno);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

Journal::~Journal() {
  std::error_code already_gone;
  if (empty()) std::filesystem::remove(path_, already_gone);
  ::close(file_);
}

bool Journal::empty() const { return ::lseek(file_, 0, SEEK_END) <= 0; }

void Journal::append(std::string_view line) {
  const off_t whole = ::lseek(file_, 0, SEEK_END);
  const int reason = write_all(file_, line.data(), line.size());
  if (reason == 0) return;
  // Of a disk that fills up within the line, keep whole lines; if this fails too, the torn line is
  // dropped when the journal is opened again.
  if (whole >= 0 && ::ftruncate(file_, whole) != 0) errno = 0;
  throw write_error(path_, reason);
}

void Journal::sync() {
  if (const int reason = synchronise(file_); reason != 0) throw write_error(path_, reason);
}

void Journal::clear() {
  if (::ftruncate(file_, 0) != 0) throw write_error(path_, errno);
}

}  // namespace fftprec::results

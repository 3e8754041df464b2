#include "reports/results/durable.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "arith/support/error.hpp"
#include "experiments/support/files.hpp"

namespace fftprec::results {

namespace {

InputError write_error(const std::filesystem::path& path, int reason) {
  return InputError(path.string() + ": cannot be written: " + std::strerror(reason));
}

/// 0, or the errno of the write that failed.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? errno : ENOSPC;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

/// fsync where the file can be synchronised: a pipe cannot, and need not.
int sync_file(int file) {
  if (::fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP) return 0;
  return errno;
}

/// Errors name `path`, also where the text goes to a temporary `place` first.
void write_and_close(const std::filesystem::path& path, const std::filesystem::path& place,
                     int flags, std::string_view text) {
  const int file = ::open(place.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0) throw write_error(path, errno);
  int reason = write_all(file, text);
  if (reason == 0) reason = sync_file(file);
  if (::close(file) != 0 && reason == 0) reason = errno;
  if (reason != 0) throw write_error(path, reason);
}

/// Something that exists and cannot be replaced by a rename: a device, a pipe.
bool is_device(const std::filesystem::path& path) {
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

std::filesystem::path temporary_for(std::filesystem::path path) { return path += ".tmp"; }

}  // namespace

Journal::Journal(const std::filesystem::path& path)
    : path_(path), file_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
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
  const int reason = write_all(file_, line);
  if (reason == 0) return;
  // Of a disk that fills up within the line, keep whole lines; if this fails too, the torn line is
  // dropped when the journal is opened again.
  if (whole >= 0 && ::ftruncate(file_, whole) != 0) errno = 0;
  throw write_error(path_, reason);
}

void Journal::sync() {
  if (const int reason = sync_file(file_); reason != 0) throw write_error(path_, reason);
}

void Journal::clear() {
  if (::ftruncate(file_, 0) != 0) throw write_error(path_, errno);
}

void replace_file(const std::filesystem::path& path, std::string_view text) {
  if (is_device(path)) {
    write_and_close(path, path, 0, text);
    return;
  }
  const std::filesystem::path temporary = temporary_for(path);
  std::error_code error;
  try {
    write_and_close(path, temporary, O_CREAT | O_TRUNC, text);
  } catch (const InputError&) {
    std::filesystem::remove(temporary, error);
    throw;
  }
  std::filesystem::rename(temporary, path, error);
  if (error) throw write_error(path, error.value());
}

void check_writable(const std::filesystem::path& path) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) throw write_error(path, EISDIR);
  if (is_device(path)) return;
  write_and_close(path, temporary_for(path), O_CREAT, {});
  std::filesystem::remove(temporary_for(path), unknown);
}

}  // namespace fftprec::results

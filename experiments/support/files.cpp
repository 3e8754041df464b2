#include "experiments/support/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

namespace fftprec {

namespace {

/// Something that exists and cannot be replaced by a rename: a device, a pipe.
bool is_device(const std::filesystem::path& path) {
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

/// How the names of the temporaries of `path` begin; short enough for what follows.
std::string beginning_of(const std::filesystem::path& path) {
  constexpr std::size_t most = 200;
  return path.filename().string().substr(0, most) + ".";
}

/// "PID-NUMBER.tmp".
bool is_own_ending(std::string_view text) {
  if (!text.ends_with(temporary_suffix)) return false;
  text.remove_suffix(temporary_suffix.size());
  const std::size_t dash = text.find('-');
  return dash != text.npos && dash > 0 && dash + 1 < text.size() &&
         text.find_first_not_of("0123456789") == dash &&
         text.find_first_not_of("0123456789", dash + 1) == text.npos;
}

/// 0, or why `path` could not be replaced however writable its folder is: its name is too long, or
/// it is a folder.
int unfit(const std::filesystem::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return errno == ENOENT ? 0 : errno;
  return S_ISDIR(status.st_mode) ? EISDIR : 0;
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  const auto failed = [&path] {
    return InputError(path.string() + ": cannot be read: " + std::strerror(errno));
  };
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) throw failed();
  std::string text;
  std::string block(1 << 16, '\0');
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get()))
    text.append(block, 0, count);
  if (std::ferror(file.get())) throw failed();
  return text;
}

/// The number tells threads apart, the process processes, and O_EXCL machines that share a disk.
NewFile::NewFile(std::filesystem::path path) : path_(std::move(path)), reason_(unfit(path_)) {
  static std::atomic<unsigned> next = 0;
  constexpr int most_attempts = 100;
  for (int attempt = 0; reason_ == 0 && file_ < 0; ++attempt) {
    temporary_ = path_.parent_path() / (beginning_of(path_) + std::to_string(::getpid()) + "-" +
                                        std::to_string(++next) + std::string(temporary_suffix));
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file_ < 0 && (errno != EEXIST || attempt == most_attempts)) reason_ = errno;
  }
}

NewFile::~NewFile() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(temporary_.c_str());
}

void NewFile::write(const void* bytes, std::size_t count) {
  if (reason_ == 0) reason_ = write_all(file_, bytes, count);
}

int NewFile::put_in_place() {
  if (reason_ == 0) reason_ = synchronise(file_);
  if (reason_ == 0 && ::rename(temporary_.c_str(), path_.c_str()) != 0) reason_ = errno;
  if (reason_ != 0) return reason_;
  ::close(file_);
  file_ = -1;
  return 0;
}

void replace_file(const std::filesystem::path& path, std::string_view text) {
  if (is_device(path)) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) throw write_error(path, errno);
    int reason = write_all(file, text.data(), text.size());
    if (::close(file) != 0 && reason == 0) reason = errno;
    if (reason != 0) throw write_error(path, reason);
    return;
  }
  remove_abandoned(path);
  NewFile file(path);
  file.write(text.data(), text.size());
  if (const int reason = file.put_in_place(); reason != 0) throw write_error(path, reason);
}

void check_writable(const std::filesystem::path& path) {
  if (is_device(path)) return;
  if (const NewFile file(path); file.reason() != 0) throw write_error(path, file.reason());
}

void create_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw InputError(path.string() + ": cannot be created: " + error.message());
}

void create_writable_folder(const std::filesystem::path& path) {
  create_folder(path);
  const std::filesystem::path own = path / ("fftprec-" + std::to_string(::getpid()));
  if (const NewFile file(own); file.reason() != 0) throw write_error(path, file.reason());
}

void remove_abandoned(const std::filesystem::path& path) {
  const std::string beginning = beginning_of(path);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const std::time_t now = std::time(nullptr);
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    struct stat status {};
    if (name.starts_with(beginning) &&
        is_own_ending(std::string_view(name).substr(beginning.size())) &&
        ::lstat(at->path().c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
        now - status.st_mtim.tv_sec > abandoned_after_s)
      ::unlink(at->path().c_str());
  }
}

InputError write_error(const std::filesystem::path& path, int reason) {
  return InputError(path.string() + ": cannot be written: " + std::strerror(reason));
}

int write_all(int file, const void* bytes, std::size_t count) {
  for (const char* from = static_cast<const char*>(bytes); count > 0;) {
    const ssize_t put = ::write(file, from, count);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return put < 0 ? errno : ENOSPC;
    from += put;
    count -= static_cast<std::size_t>(put);
  }
  return 0;
}

int synchronise(int file) {
  if (::fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP) return 0;
  return errno;
}

}  // namespace fftprec

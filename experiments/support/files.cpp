#include "experiments/support/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace fftprec {

namespace {

/// Something that exists and cannot be replaced by a rename: a device, a pipe.
bool is_device(const std::filesystem::path& path) {
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

constexpr std::string_view own_mark = "fftprec-";
constexpr std::string_view decimal_digits = "0123456789";
constexpr std::string_view hexadecimal_digits = "0123456789abcdef";
constexpr std::size_t kernel_digits = 8;

/// Eight digits that name the running kernel, within which a lock is seen by every process,
/// whatever network a file lies on; empty where they cannot be read.
std::string kernel_digits_here() {
  std::array<char, kernel_digits> id{};
  const int file = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t count = ::read(file, id.data(), id.size());
  ::close(file);
  const std::string_view text(id.data(), id.size());
  const bool whole = count == static_cast<ssize_t>(id.size()) &&
                     text.find_first_not_of(hexadecimal_digits) == text.npos;
  return whole ? std::string(text) : std::string();
}

/// How the names of the temporaries of `path` begin; short enough for what follows.
std::string beginning_of(const std::filesystem::path& path) {
  constexpr std::size_t most = 200;
  return path.filename().string().substr(0, most) + "." + std::string(own_mark);
}

/// The part of a name after its last `separator`, which is cut off; the whole where there is none.
std::string_view cut_last(std::string_view& name, char separator) {
  const std::size_t at = name.rfind(separator);
  const std::string_view part = at == name.npos ? name : name.substr(at + 1);
  name = name.substr(0, at == name.npos ? 0 : at);
  return part;
}

bool consists_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

/// The kernel of "FILE.fftprec-PID-NUMBER-KERNEL.tmp"; nothing of another name.
std::optional<std::string_view> kernel_of(std::string_view name) {
  if (!name.ends_with(temporary_suffix)) return std::nullopt;
  name.remove_suffix(temporary_suffix.size());
  std::string_view own = cut_last(name, '.');
  if (name.empty() || !own.starts_with(own_mark)) return std::nullopt;
  own.remove_prefix(own_mark.size());
  const std::string_view kernel = cut_last(own, '-');
  const std::string_view number = cut_last(own, '-');
  const bool is_own = consists_of(own, decimal_digits) && consists_of(number, decimal_digits) &&
                      kernel.find_first_not_of(hexadecimal_digits) == kernel.npos &&
                      (kernel.empty() || kernel.size() == kernel_digits);
  return is_own ? std::optional(kernel) : std::nullopt;
}

/// Removes the temporary unless a process holds it. A writer that has made it and not locked it yet
/// does not get the lock then, and makes another.
void remove_if_abandoned(const std::filesystem::path& path, bool lock_is_seen) {
  const int file = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return;
  struct stat opened {};
  struct stat named {};
  // Where the file system has no locks, age alone tells.
  const int locked = ::flock(file, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  const bool is_same = ::fstat(file, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
                       S_ISREG(opened.st_mode) && opened.st_ino == named.st_ino &&
                       opened.st_dev == named.st_dev;
  const bool is_old = std::time(nullptr) - opened.st_mtim.tv_sec > abandoned_after_s;
  if (is_same && locked != EWOULDBLOCK && (is_old || (locked == 0 && lock_is_seen)))
    ::unlink(path.c_str());
  ::close(file);
}

/// Takes the lock of a temporary that has just been made. Whether another process took it for one
/// that is abandoned, meanwhile.
bool is_being_removed(int file) {
  if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return true;
  struct stat status {};
  return ::fstat(file, &status) == 0 && status.st_nlink == 0;
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
  const std::string ending = "-" + kernel_digits_here() + std::string(temporary_suffix);
  for (int attempt = 0; reason_ == 0 && file_ < 0; ++attempt) {
    temporary_ = path_.parent_path() / (beginning_of(path_) + std::to_string(::getpid()) + "-" +
                                        std::to_string(++next) + ending);
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file_ < 0 && (errno != EEXIST || attempt == most_attempts)) reason_ = errno;
    if (file_ >= 0 && is_being_removed(file_) && attempt < most_attempts) {
      ::close(file_);
      file_ = -1;
    }
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

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
  if (is_device(path_)) {
    device_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (device_ < 0) throw write_error(path_, errno);
    return;
  }
  remove_abandoned(path_.parent_path());
  file_.emplace(path_);
  if (file_->reason() != 0) throw write_error(path_, file_->reason());
}

OutputFile::~OutputFile() {
  if (device_ >= 0) ::close(device_);
}

void OutputFile::write(std::string_view bytes) {
  const int reason = [&] {
    if (device_ >= 0) return write_all(device_, bytes.data(), bytes.size());
    file_->write(bytes.data(), bytes.size());
    return file_->reason();
  }();
  if (reason != 0) throw write_error(path_, reason);
}

void OutputFile::finish() {
  if (const int reason = file_ ? file_->put_in_place() : 0; reason != 0)
    throw write_error(path_, reason);
  if (device_ >= 0 && ::close(std::exchange(device_, -1)) != 0) throw write_error(path_, errno);
}

void replace_file(const std::filesystem::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.finish();
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

void remove_abandoned(const std::filesystem::path& folder) {
  const std::string here = kernel_digits_here();
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder.empty() ? "." : folder, error), end;
       !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (const auto kernel = kernel_of(name))
      remove_if_abandoned(at->path(), !kernel->empty() && *kernel == here);
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

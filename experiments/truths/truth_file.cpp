#include "experiments/truths/truth_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

#include "experiments/support/hash.hpp"

namespace fftprec {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> magic{'f', 'f', 't', 'T', 'r', 'u', 't', 'h'};
constexpr std::size_t piece = std::size_t{1} << 20;  // hashed while it is in the cache

/// As it stands in the file.
struct Head {
  std::array<char, 8> magic;
  std::uint64_t key_bytes;
  std::uint64_t method_bytes;
  std::uint64_t elements;
  std::uint64_t n;
  std::uint64_t radii;
  double radius_rel;
  std::int64_t bits;
  std::uint64_t tier;

  /// Requires that no count is above the size of a file that exists.
  std::uint64_t file_bytes() const {
    return sizeof(Head) + key_bytes + method_bytes + sizeof(double) * (4 * elements + radii) +
           sizeof(Digest::Bytes);
  }
};
static_assert(sizeof(Head) == 72);

Head head_of(std::string_view key, const truth::Truth& truth) {
  return {magic,
          key.size(),
          truth.method.size(),
          truth.hi.size(),
          truth.n,
          truth.element_radius.size(),
          truth.radius_rel,
          truth.bits,
          static_cast<std::uint64_t>(truth.tier)};
}

/// Whether the counts describe a file of `size` bytes, of a tier that there is.
bool describes(const Head& head, std::uint64_t size) {
  const std::uint64_t words = size / sizeof(double);
  return head.magic == magic && head.key_bytes <= size && head.method_bytes <= size &&
         head.elements <= words / 4 && head.radii <= words && head.file_bytes() == size &&
         head.tier <= static_cast<std::uint64_t>(truth::Tier::double_double);
}

/// A file that closes itself, and hashes what passes.
class HashedFile {
 public:
  explicit HashedFile(int file) : file_(file) {}
  ~HashedFile() {
    if (file_ >= 0) ::close(file_);
  }
  HashedFile(const HashedFile&) = delete;
  HashedFile& operator=(const HashedFile&) = delete;

  int get() const { return file_; }
  Digest::Bytes digest() const { return digest_.bytes(); }

  /// Whether that many bytes could be read.
  bool read(void* to, std::size_t count) {
    for (auto* bytes = static_cast<char*>(to); count > 0;) {
      const ssize_t got = ::read(file_, bytes, std::min(count, piece));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      digest_.add(bytes, static_cast<std::size_t>(got));
      bytes += got;
      count -= static_cast<std::size_t>(got);
    }
    return true;
  }

  /// 0, or the errno of the write that failed.
  int write(const void* from, std::size_t count) {
    for (const auto* bytes = static_cast<const char*>(from); count > 0;) {
      const ssize_t put = ::write(file_, bytes, std::min(count, piece));
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return put < 0 ? errno : ENOSPC;
      digest_.add(bytes, static_cast<std::size_t>(put));
      bytes += put;
      count -= static_cast<std::size_t>(put);
    }
    return 0;
  }

  /// Waits until all of it is on the disk and closes it. 0, or an errno.
  int finish() {
    int reason = ::fsync(file_) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    if (::close(file_) != 0 && reason == 0) reason = errno;
    file_ = -1;
    return reason;
  }

 private:
  int file_;
  Digest digest_;
};

/// put(values, how many) for each array of the truth in the order of the file, until one fails.
template <class T, class Put>
bool for_each_array(T& truth, Put put) {
  return put(truth.hi.re) && put(truth.hi.im) && put(truth.lo.re) && put(truth.lo.im) &&
         put(truth.element_radius);
}

bool read_whole(HashedFile& file, std::uint64_t size, std::string_view key, truth::Truth& truth) {
  Head head;
  if (size < sizeof(Head) || !file.read(&head, sizeof(head)) || !describes(head, size))
    return false;
  std::string own_key(head.key_bytes, '\0');
  if (!file.read(own_key.data(), own_key.size()) || own_key != key) return false;
  truth.method.resize(head.method_bytes);
  if (!file.read(truth.method.data(), truth.method.size())) return false;
  truth.hi = ComplexArray<double>(head.elements);
  truth.lo = ComplexArray<double>(head.elements);
  truth.element_radius.resize(head.radii);
  const auto read_array = [&file](auto& values) {
    return file.read(values.data(), values.size() * sizeof(double));
  };
  if (!for_each_array(truth, read_array)) return false;
  truth.n = head.n;
  truth.radius_rel = head.radius_rel;
  truth.bits = static_cast<int>(head.bits);
  truth.tier = static_cast<truth::Tier>(head.tier);
  const Digest::Bytes expected = file.digest();
  Digest::Bytes stored;
  return file.read(stored.data(), stored.size()) && stored == expected;
}

int write_whole(HashedFile& file, std::string_view key, const truth::Truth& truth) {
  const Head head = head_of(key, truth);
  int reason = 0;
  const auto put = [&file, &reason](const void* bytes, std::size_t count) {
    return (reason = file.write(bytes, count)) == 0;
  };
  const auto put_array = [&put](const auto& values) {
    return put(values.data(), values.size() * sizeof(double));
  };
  if (!put(&head, sizeof(head)) || !put(key.data(), key.size()) ||
      !put(truth.method.data(), truth.method.size()) || !for_each_array(truth, put_array))
    return reason;
  const Digest::Bytes digest = file.digest();
  if (!put(digest.data(), digest.size())) return reason;
  return file.finish();
}

/// Creates a file that no other thread or process has: the number tells threads apart, the process
/// processes, and O_EXCL machines that share a disk. Its descriptor, or -1 with errno.
int create_temporary(const std::filesystem::path& file, std::filesystem::path& temporary) {
  static std::atomic<unsigned> next = 0;
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary = file;
    temporary += "." + std::to_string(::getpid()) + "-" + std::to_string(++next);
    temporary += temporary_suffix;
    const int created =
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (created >= 0 || errno != EEXIST) return created;
  }
  return -1;
}

}  // namespace

StoredTruth read_truth(const std::filesystem::path& path, std::string_view key) {
  // Of a pipe in its place, opening would wait for a writer.
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) return {};
  HashedFile file(opened);
  struct stat status {};
  StoredTruth stored;
  if (::fstat(file.get(), &status) != 0 ||
      !read_whole(file, static_cast<std::uint64_t>(status.st_size), key, stored.truth))
    return {StoredTruth::State::damaged};
  stored.state = StoredTruth::State::whole;
  // Where the file is another user's this may fail: it goes a little earlier then.
  static_cast<void>(::futimens(file.get(), nullptr));
  return stored;
}

int write_truth(const std::filesystem::path& path, std::string_view key,
                const truth::Truth& truth) {
  std::filesystem::path temporary;
  const int created = create_temporary(path, temporary);
  if (created < 0) return errno;
  HashedFile file(created);
  int reason = write_whole(file, key, truth);
  if (reason == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) ::unlink(temporary.c_str());
  return reason;
}

std::uint64_t truth_file_size(std::string_view key, const truth::Truth& truth) {
  return head_of(key, truth).file_bytes();
}

}  // namespace fftprec

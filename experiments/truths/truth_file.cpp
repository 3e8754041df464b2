#include "experiments/truths/truth_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <string>
#include <vector>

#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"

namespace fftprec {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> file_mark{'f', 'f', 't', 'T', 'r', 'u', 't', 'h'};
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
  return {file_mark,        key.size(), truth.method.size(),
          truth.hi.size(),  truth.n,    truth.element_radius.size(),
          truth.radius_rel, truth.bits, static_cast<std::uint64_t>(truth.tier)};
}

/// Whether the counts describe a file of `size` bytes, of a tier that there is.
bool describes(const Head& head, std::uint64_t size) {
  const std::uint64_t words = size / sizeof(double);
  return head.magic == file_mark && head.key_bytes <= size && head.method_bytes <= size &&
         head.elements <= words / 4 && head.radii <= words && head.file_bytes() == size &&
         head.tier <= static_cast<std::uint64_t>(truth::Tier::double_double);
}

/// A file that is read, closes itself, and hashes what passes.
class HashedFile {
 public:
  explicit HashedFile(int file) : file_(file) {}
  ~HashedFile() { ::close(file_); }
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
  NewFile file(path);
  Digest digest;
  const auto put = [&file, &digest](const void* bytes, std::size_t count) {
    for (const auto* from = static_cast<const char*>(bytes); count > 0;) {
      const std::size_t part = std::min(count, piece);
      digest.add(from, part);
      file.write(from, part);
      from += part;
      count -= part;
    }
    return file.reason() == 0;
  };
  const auto put_array = [&put](const auto& values) {
    return put(values.data(), values.size() * sizeof(double));
  };
  const Head head = head_of(key, truth);
  if (put(&head, sizeof(head)) && put(key.data(), key.size()) &&
      put(truth.method.data(), truth.method.size()) && for_each_array(truth, put_array)) {
    const Digest::Bytes hash = digest.bytes();
    file.write(hash.data(), hash.size());
  }
  return file.put_in_place();
}

std::uint64_t truth_file_size(std::string_view key, const truth::Truth& truth) {
  return head_of(key, truth).file_bytes();
}

}  // namespace fftprec

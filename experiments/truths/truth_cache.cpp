#include "experiments/truths/truth_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <ctime>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/support/version.hpp"
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

namespace {

constexpr std::string_view suffix = ".truth";
constexpr std::size_t digits = 32;
constexpr std::uint64_t slack = 16;  ///< the limit is kept to one part in this

std::string digits_of(std::string_view text) {
  Digest digest;
  digest.add(text);
  return digest.digits();
}

std::string digits_of(const ComplexArray<double>& x) {
  Digest digest;
  digest.add(x.re.data(), x.re.size() * sizeof(double));
  digest.add(x.im.data(), x.im.size() * sizeof(double));
  return digest.digits();
}

/// Something in the directory that was put there by a cache.
struct Entry {
  std::filesystem::path path;
  std::uint64_t size;
  timespec used;

  friend bool operator<(const Entry& a, const Entry& b) {
    return std::tie(a.used.tv_sec, a.used.tv_nsec, a.path) <
           std::tie(b.used.tv_sec, b.used.tv_nsec, b.path);
  }
};

/// 32 digits and the suffix: whatever else is there is not ours, or on its way.
bool is_own(std::string_view name) {
  return name.find_first_not_of("0123456789abcdef") == digits && name.substr(digits) == suffix;
}

std::vector<Entry> entries_in(const std::filesystem::path& directory) {
  std::vector<Entry> entries;
  std::error_code error;
  for (std::filesystem::directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    struct stat status {};
    if (!is_own(name) || ::lstat(at->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode))
      continue;
    entries.push_back({at->path(), static_cast<std::uint64_t>(status.st_size), status.st_mtim});
  }
  return entries;
}

}  // namespace

std::string truth_key(std::string_view transform, std::uint64_t n, std::uint64_t batch,
                      const ComplexArray<double>& input, const truth::TruthOptions& options) {
  std::string key;
  const auto add = [&key](std::string_view name, std::string_view value) {
    key.append(name).append(" ").append(value).append("\n");
  };
  add("numerics", std::to_string(numerics_version));
  add("truth", std::to_string(truth_version));
  add("transform", transform);
  add("n", std::to_string(n));
  add("batch", std::to_string(batch));
  add("input", digits_of(input));
  add("tier", options.tier ? name_of(*options.tier) : "auto");
  add("needed_bits", std::to_string(options.needed_bits));
  add("precision_bits", std::to_string(options.precision_bits));
  return key;
}

TruthCache::TruthCache(std::filesystem::path directory, const Options& options)
    : directory_(std::move(directory)), options_(options) {}

truth::Truth TruthCache::get(const std::string& key, const std::function<truth::Truth()>& make) {
  const std::filesystem::path file = directory_ / (digits_of(key) + std::string(suffix));
  StoredTruth found = read_truth(file, key);
  if (found.state == StoredTruth::State::whole) {
    const std::scoped_lock lock(mutex_);
    ++counts_.hits;
    return std::move(found.truth);
  }
  const auto start = std::chrono::steady_clock::now();
  truth::Truth truth = make();
  const auto time = std::chrono::steady_clock::now() - start;
  const bool damaged = found.state == StoredTruth::State::damaged;
  {
    const std::scoped_lock lock(mutex_);
    ++counts_.misses;
    if (damaged) ++counts_.damaged;
  }
  if (damaged || time >= options_.least_time) store(file, key, truth);
  return truth;
}

bool TruthCache::may_store(std::uint64_t size) const {
  const std::scoped_lock lock(mutex_);
  return trouble_.empty() && size <= options_.limit_bytes;
}

void TruthCache::store(const std::filesystem::path& file, const std::string& key,
                       const truth::Truth& truth) {
  const std::uint64_t size = truth_file_size(key, truth);
  if (!may_store(size)) return;
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  const int reason = error ? error.value() : write_truth(file, key, truth);
  const bool cleared = !error && reason == ENOENT;  // by somebody else, meanwhile
  if (cleared) return;
  const std::scoped_lock lock(mutex_);
  if (reason != 0) {
    trouble_ =
        directory_.string() + ": cannot be written: " + std::generic_category().message(reason);
    return;
  }
  ++counts_.stored;
  stored_since_ += size;
  if (looked_through_ && stored_since_ <= options_.limit_bytes / slack) return;
  trim(file);
  looked_through_ = true;
  stored_since_ = 0;
}

/// Several processes may do this at once: what another one has removed is gone all the same.
void TruthCache::trim(const std::filesystem::path& newest) const {
  remove_abandoned(directory_);
  std::vector<Entry> entries = entries_in(directory_);
  std::uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.size;
  if (total <= options_.limit_bytes) return;
  std::sort(entries.begin(), entries.end());
  for (const Entry& entry : entries) {
    if (total <= options_.limit_bytes - options_.limit_bytes / slack) return;
    if (entry.path == newest) continue;
    if (::unlink(entry.path.c_str()) == 0 || errno == ENOENT) total -= entry.size;
  }
}

TruthCache::Counts TruthCache::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

std::string TruthCache::trouble() const {
  const std::scoped_lock lock(mutex_);
  return trouble_;
}

}  // namespace fftprec

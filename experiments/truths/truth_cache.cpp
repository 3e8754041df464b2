#include "experiments/truths/truth_cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/support/version.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/truths/truth_file.hpp"

namespace fftprec {

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
  bool temporary;

  friend bool operator<(const Entry& a, const Entry& b) {
    return std::tie(a.used.tv_sec, a.used.tv_nsec, a.path) <
           std::tie(b.used.tv_sec, b.used.tv_nsec, b.path);
  }
};

/// 32 digits, the suffix, and what a temporary has after that: whatever else is there is not ours.
bool is_own(std::string_view name) {
  const std::size_t end = name.find_first_not_of("0123456789abcdef");
  if (end != digits || !name.substr(end).starts_with(suffix)) return false;
  const std::string_view rest = name.substr(end + suffix.size());
  return rest.empty() || (rest.starts_with('.') && rest.ends_with(temporary_suffix));
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
    entries.push_back({at->path(), static_cast<std::uint64_t>(status.st_size), status.st_mtim,
                       !name.ends_with(suffix)});
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
  std::vector<Entry> entries = entries_in(directory_);
  const std::time_t now = std::time(nullptr);
  std::erase_if(entries, [now](const Entry& entry) {
    if (!entry.temporary) return false;
    // Of a process that was killed, or a machine that was switched off.
    if (now - entry.used.tv_sec > abandoned_after_s) ::unlink(entry.path.c_str());
    return true;
  });
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

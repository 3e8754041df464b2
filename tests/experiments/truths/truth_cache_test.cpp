/// What the cache gives is what would be computed, whatever happens to its directory.
#include "experiments/truths/truth_cache.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <thread>

#include "arith/support/version.hpp"
#include "tests/experiments/truths/stored_truths.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {
namespace {

namespace fs = std::filesystem;

/// Whether key i is there already.
bool has(TruthCache& cache, int i) {
  bool made = false;
  EXPECT_TRUE(is_same(cache.get(name(i),
                                [&] {
                                  made = true;
                                  return truth_of(i);
                                }),
                      truth_of(i)));
  return !made;
}

class TruthCacheTest : public ::testing::Test {
 protected:
  fs::path place() const { return directory_ / "made/when/needed"; }

  TemporaryDirectory directory_;
};

TEST(TruthKey, NamesEverythingThatATruthFollowsFrom) {
  ComplexArray<double> input(2);
  input.re = {1, 2};
  input.im = {0, 4};
  const truth::TruthOptions options;
  std::vector<std::string> keys{truth_key("fft", 2, 1, input, options)};
  EXPECT_EQ(truth_key("fft", 2, 1, input, options), keys[0]);
  EXPECT_THAT(keys[0], holds("numerics " + std::to_string(numerics_version) + "\n",
                             "truth " + std::to_string(truth_version) + "\n"));
  keys.push_back(truth_key("ifft", 2, 1, input, options));
  keys.push_back(truth_key("fft", 1, 1, input, options));
  keys.push_back(truth_key("fft", 2, 2, input, options));
  for (std::size_t i = 0; i < 2; ++i)
    for (auto part : {&ComplexArray<double>::re, &ComplexArray<double>::im}) {
      ComplexArray<double> other = input;
      (other.*part)[i] = i == 0 ? -(other.*part)[i] : std::nextafter((other.*part)[i], 9);
      keys.push_back(truth_key("fft", 2, 1, other, options));
    }
  ComplexArray<double> exchanged;
  exchanged.re = input.im;
  exchanged.im = input.re;
  keys.push_back(truth_key("fft", 2, 1, exchanged, options));
  ComplexArray<double> longer(3);
  longer.re = {1, 2, 0};
  longer.im = {4, 0, 0};
  keys.push_back(truth_key("fft", 2, 1, longer, options));
  for (const truth::TruthOptions& other :
       {truth::TruthOptions{.tier = truth::Tier::mpfr},
        truth::TruthOptions{.tier = truth::Tier::double_double},
        truth::TruthOptions{.needed_bits = 65}, truth::TruthOptions{.precision_bits = 129}})
    keys.push_back(truth_key("fft", 2, 1, input, other));

  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(keys[i], keys[j]) << i << ", " << j;
  EXPECT_EQ(truth_key("fft", 2, 1, input, {.threads = 7, .isa = Isa::baseline}), keys[0])
      << "neither changes a bit";
}

TEST_F(TruthCacheTest, GivesBackWhatWasMade) {
  TruthCache first(place(), keep_all);
  EXPECT_FALSE(has(first, 1));
  TruthCache second(place(), keep_all);
  EXPECT_TRUE(has(second, 1)) << "by another run";
  EXPECT_TRUE(has(first, 1));
  EXPECT_FALSE(has(second, 2));

  EXPECT_EQ(second.counts().hits, 1u);
  EXPECT_EQ(second.counts().misses, 1u);
  EXPECT_EQ(second.counts().stored, 1u);
  EXPECT_EQ(second.counts().damaged, 0u);
  EXPECT_EQ(second.trouble(), "");
  EXPECT_EQ(files_in(place()).size(), 2u);
}

TEST_F(TruthCacheTest, KeepsOnlyWhatTookLong) {
  TruthCache cache(place(), {.least_time = std::chrono::milliseconds(200)});
  const auto make = [&](int i, std::chrono::milliseconds time) {
    cache.get(name(i), [&] {
      std::this_thread::sleep_for(time);
      return truth_of(i);
    });
  };
  make(1, std::chrono::milliseconds(0));
  EXPECT_FALSE(fs::exists(place())) << "not even the directory";
  make(2, std::chrono::milliseconds(200));
  EXPECT_FALSE(has(cache, 1));
  EXPECT_TRUE(has(cache, 2));
}

TEST_F(TruthCacheTest, KeepsNothingOfATruthThatFails) {
  TruthCache cache(place(), keep_all);
  const auto fails = []() -> truth::Truth { throw std::runtime_error("refuted"); };
  EXPECT_THROW(cache.get(name(1), fails), std::runtime_error);
  EXPECT_FALSE(fs::exists(place()));
  EXPECT_FALSE(has(cache, 1));
}

TEST_F(TruthCacheTest, ReplacesADamagedEntryByAGoodOne) {
  TruthCache cache(place(), keep_all);
  has(cache, 1);
  const fs::path file = files_in(place()).at(0);
  const std::string good = text_of(file);
  // Not even such as take no time are left damaged.
  TruthCache later(place(), {.least_time = std::chrono::hours(1)});
  for (std::size_t i = 0; i < good.size(); i += 1 + good.size() / 20) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 4);
    write_text(file, bad);
    EXPECT_FALSE(has(later, 1)) << "byte " << i;
    EXPECT_EQ(text_of(file), good) << "byte " << i;
    EXPECT_TRUE(has(later, 1)) << "byte " << i;
  }
  EXPECT_EQ(later.counts().damaged, later.counts().misses);
  EXPECT_EQ(later.counts().stored, later.counts().misses);
}

TEST_F(TruthCacheTest, DoesNotTakeTheEntryOfAnotherKey) {
  TruthCache cache(place(), keep_all);
  has(cache, 1);
  const fs::path one = files_in(place()).at(0);
  fs::rename(one, directory_ / "kept");
  has(cache, 2);
  const fs::path two = files_in(place()).at(0);
  fs::rename(directory_ / "kept", two);

  EXPECT_FALSE(has(cache, 2)) << "the file of key 1 under the name of that of key 2";
  EXPECT_EQ(cache.counts().damaged, 1u);
  EXPECT_TRUE(has(cache, 2));
}

TEST_F(TruthCacheTest, LetsThoseGoThatWereNotUsedForLongest) {
  const std::uint64_t size = truth_file_size(name(1), truth_of(1));
  TruthCache cache(place(), {.limit_bytes = 7 * size / 2, .least_time = {}});
  std::vector<fs::path> aged;
  const auto age = [&](int hours) {
    for (const fs::path& file : files_in(place())) {
      if (std::find(aged.begin(), aged.end(), file) != aged.end()) continue;
      fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
      aged.push_back(file);
    }
  };
  for (int i = 1; i <= 3; ++i) {
    has(cache, i);
    age(10 - i);
  }
  EXPECT_EQ(files_in(place()).size(), 3u);
  EXPECT_TRUE(has(cache, 1)) << "used now, so 2 is the oldest";
  EXPECT_FALSE(has(cache, 4));

  EXPECT_EQ(files_in(place()).size(), 3u);
  TruthCache reader(place(), {.least_time = std::chrono::hours(1)});
  EXPECT_TRUE(has(reader, 1));
  EXPECT_FALSE(has(reader, 2));
  EXPECT_TRUE(has(reader, 3));
  EXPECT_TRUE(has(reader, 4));
}

TEST_F(TruthCacheTest, LetsThoseGoFirstThatAreOlderByNanoseconds) {
  const std::uint64_t size = truth_file_size(name(1), truth_of(1));
  TruthCache cache(place(), {.limit_bytes = 13 * size / 2, .least_time = {}});
  for (int i = 1; i <= 6; ++i) has(cache, i);
  std::vector<fs::path> files = files_in(place());
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i < files.size(); ++i) {  // the last by name is the oldest
    timespec times[2]{{1'000'000, 0}, {1'000'000, static_cast<long>(files.size() - i)}};
    ::utimensat(AT_FDCWD, files[i].c_str(), times, 0);
  }

  EXPECT_FALSE(has(cache, 7));

  EXPECT_TRUE(fs::exists(files.front()));
  EXPECT_FALSE(fs::exists(files.back()));
}

TEST_F(TruthCacheTest, StaysWithinItsLimit) {
  const std::uint64_t size = truth_file_size(name(1), truth_of(1));
  const std::uint64_t limit = 20 * size;
  TruthCache cache(place(), {.limit_bytes = limit, .least_time = {}});
  for (int i = 0; i < 40; ++i) {
    EXPECT_FALSE(has(cache, i));
    std::uint64_t total = 0;
    for (const fs::path& file : files_in(place())) total += fs::file_size(file);
    EXPECT_LE(total, limit + limit / 16) << i;
    EXPECT_GE(total, std::min<std::uint64_t>(static_cast<std::uint64_t>(i) + 1, 18) * size) << i;
  }
  TruthCache tiny(directory_ / "tiny", {.limit_bytes = size - 1, .least_time = {}});
  EXPECT_FALSE(has(tiny, 1));
  EXPECT_FALSE(fs::exists(directory_ / "tiny")) << "an entry beyond the limit";
  TruthCache just(directory_ / "just", {.limit_bytes = size, .least_time = {}});
  EXPECT_FALSE(has(just, 1));
  EXPECT_FALSE(has(just, 2));
  EXPECT_TRUE(has(just, 2)) << "the newest stays";
  EXPECT_EQ(files_in(directory_ / "just").size(), 1u);
}

TEST_F(TruthCacheTest, LeavesAloneWhatIsNotItsOwn) {
  fs::create_directories(place());
  const std::string digits(32, 'a');
  const std::vector<std::string> foreign{"letter.txt",
                                         "x.truth",
                                         digits + "a.truth",
                                         std::string(32, 'g') + ".truth",
                                         digits,
                                         digits + ".truth.bak",
                                         digits + ".other"};
  for (const std::string& each : foreign) write_text(place() / each, std::string(100000, 'x'));
  fs::create_directory(place() / (std::string(32, 'b') + ".truth"));
  const std::string half = digits + ".truth.fftprec-99-1-01234567.tmp";
  for (const std::string& each : {half, "0" + half.substr(1)}) write_text(place() / each, "half");
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(2);
  for (const auto& each : fs::directory_iterator(place()))
    if (each.path().filename() != half) fs::last_write_time(each.path(), long_ago);

  TruthCache cache(place(), {.limit_bytes = 50000, .least_time = {}});
  has(cache, 1);

  for (const std::string& each : foreign) EXPECT_TRUE(fs::exists(place() / each)) << each;
  EXPECT_TRUE(fs::exists(place() / half)) << "another machine may be writing it";
  EXPECT_FALSE(fs::exists(place() / ("0" + half.substr(1)))) << "of a process that was killed";
  EXPECT_TRUE(has(cache, 1));
}

TEST_F(TruthCacheTest, CostsNoTruthWhereItCannotBeWritten) {
  write_text(directory_ / "file", "in the way");
  for (const fs::path& bad :
       {directory_ / "file", directory_ / "file/below", fs::path("/proc/no")}) {
    TruthCache cache(bad, keep_all);
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(has(cache, i)) << bad;
    EXPECT_THAT(cache.trouble(), ::testing::StartsWith(bad.string() + ": cannot be written: "));
    EXPECT_EQ(cache.counts().misses, 3u);
    EXPECT_EQ(cache.counts().stored, 0u);
  }
  EXPECT_EQ(text_of(directory_ / "file"), "in the way");
}

}  // namespace
}  // namespace fftprec::testing

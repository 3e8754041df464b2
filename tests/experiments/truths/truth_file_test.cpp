/// A truth comes back from its file bit for bit, and from a file that is not whole never.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <fstream>

#include "experiments/truths/truth_cache.hpp"
#include "tests/experiments/truths/stored_truths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {
namespace {

using State = StoredTruth::State;

constexpr const char* key = "transform fft\nn 2\n";

class TruthFile : public ::testing::Test {
 protected:
  State state(const char* wanted = key) const { return read_truth(file_, wanted).state; }
  std::string written(const truth::Truth& truth) const {
    EXPECT_EQ(write_truth(file_, key, truth), 0);
    return text_of(file_);
  }
  std::size_t files() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(directory_.path()))
      ++count;
    return count;
  }

  TemporaryDirectory directory_;
  std::filesystem::path file_ = directory_ / "a.truth";
};

TEST_F(TruthFile, GivesBackEveryBitOfEveryField) {
  truth::Truth bare;
  bare.tier = truth::Tier::mpfr;
  for (const truth::Truth& truth : {made_up_truth(2), made_up_truth(40000, 3), bare}) {
    const std::string text = written(truth);

    const StoredTruth found = read_truth(file_, key);

    ASSERT_EQ(found.state, State::whole);
    EXPECT_TRUE(is_same(found.truth, truth));
    EXPECT_EQ(text.size(), truth_file_size(key, truth));
    EXPECT_EQ(files(), 1u) << "a temporary is left";
  }
}

TEST_F(TruthFile, IsAbsentWhereThereIsNone) {
  EXPECT_EQ(state(), State::absent);
  EXPECT_EQ(read_truth(directory_ / "no/such/place", key).state, State::absent);
}

TEST_F(TruthFile, SeesEveryChangedByte) {
  const std::string good = written(made_up_truth(2));
  ASSERT_GT(good.size(), 200u);
  std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&file](std::size_t place, int byte) {
    file.seekp(static_cast<std::streamoff>(place)).put(static_cast<char>(byte)).flush();
  };
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int change : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      put(i, good[i] ^ change);
      EXPECT_EQ(state(), State::damaged)
          << "byte " << i << " of " << good.size() << " ^ " << change;
    }
    put(i, good[i]);
  }
  EXPECT_EQ(state(), State::whole);
}

TEST_F(TruthFile, SeesACutAtEveryLengthAndWhateverIsAppended) {
  const std::string good = written(made_up_truth(2));
  for (const std::string& more : {std::string(1, '\0'), std::string("x"), good}) {
    write_text(file_, good + more);
    EXPECT_EQ(state(), State::damaged) << more.size() << " bytes more";
  }
  for (std::size_t length = good.size(); length-- > 0;) {
    std::filesystem::resize_file(file_, length);
    EXPECT_EQ(state(), State::damaged) << length << " of " << good.size() << " bytes";
  }
}

/// The checksum of such a file is right, so that the key alone tells.
TEST_F(TruthFile, IsNotTakenForThatOfAnotherKey) {
  written(made_up_truth(2));
  for (const char* other :
       {"transform fft\nn 3\n", "transform fft\nn 2", "transform fft\nn 2\n ", ""})
    EXPECT_EQ(state(other), State::damaged) << other;
}

/// As an entry of a version that knew a third tier: it is computed anew.
TEST_F(TruthFile, IsDamagedWhereItsTierIsNone) {
  truth::Truth truth = made_up_truth(2);
  truth.tier = static_cast<truth::Tier>(std::size(truth::all_tiers));
  written(truth);
  EXPECT_EQ(state(), State::damaged);
}

TEST_F(TruthFile, IsDamagedWhereSomethingElseIsInItsPlace) {
  std::filesystem::create_directory(file_);
  EXPECT_EQ(state(), State::damaged);
  EXPECT_EQ(write_truth(file_, key, made_up_truth(2)), EISDIR);
  EXPECT_EQ(files(), 1u) << "a temporary is left";
  std::filesystem::remove(file_);
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_EQ(state(), State::damaged) << "and does not wait for a writer";
}

TEST_F(TruthFile, CountsAsUsedWhenItIsRead) {
  written(made_up_truth(2));
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24);
  std::filesystem::last_write_time(file_, old);

  EXPECT_EQ(state("another key"), State::damaged);
  EXPECT_EQ(std::filesystem::last_write_time(file_), old);
  EXPECT_EQ(state(), State::whole);
  EXPECT_GT(std::filesystem::last_write_time(file_), old + std::chrono::hours(23));
}

TEST_F(TruthFile, TellsWhyItCannotBeWritten) {
  EXPECT_EQ(write_truth(directory_ / "none/a.truth", key, made_up_truth(2)), ENOENT);
  write_text(directory_ / "file", "");
  EXPECT_EQ(write_truth(directory_ / "file/a.truth", key, made_up_truth(2)), ENOTDIR);
}

}  // namespace
}  // namespace fftprec::testing

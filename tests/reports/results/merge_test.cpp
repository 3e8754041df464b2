#include "reports/results/merge.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

#include "experiments/support/text_stream.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/read_csv.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/watched.hpp"

namespace fftprec::results {
namespace {

using testing::exits;
using testing::holds;
using testing::Outcome;
using testing::run_line;
using testing::TemporaryDirectory;
using testing::text_of;
using testing::Watch;
using testing::Words;
using testing::write_text;

constexpr const char* sweep = R"(name = "small"
[axes]
algorithm = "watched"
mode = ["fp32", "bf16"]
n = { pow2 = [3, 8] }
seed = "1..3"
)";

class Merge : public ::testing::Test {
 protected:
  Merge() { write_text(directory_ / "sweep.toml", sweep); }

  std::string path(const std::string& name) { return directory_ / name; }

  Outcome run(Words words) {
    words.insert(words.begin(), {"run", path("sweep.toml")});
    return run_line(words);
  }

  /// Runs shard i of n into the directory `i`.
  void shard(int i, int n, Words more = {}) {
    more.insert(more.end(), {"--shard", std::to_string(i) + "/" + std::to_string(n), "-o",
                             path(std::to_string(i))});
    ASSERT_THAT(run(more), exits(0));
  }

  Outcome merge(const Words& names, const std::string& to = "merged") {
    Words words = {"merge"};
    for (const std::string& name : names) words.push_back(path(name));
    words.insert(words.end(), {"-o", path(to)});
    return run_line(words);
  }

  /// Replaces the first `from` in a file of a run.
  void edit(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = text_of(directory_ / file);
    ASSERT_NE(text.find(from), std::string::npos) << file << " holds no " << from;
    text.replace(text.find(from), from.size(), to);
    if (const std::size_t seal = text.find(",\n  \"manifest_hash\""); seal != std::string::npos)
      text.replace(seal, text.rfind('\n', text.size() - 2) - seal, "");
    write_text(directory_ / file, text);
  }

  TemporaryDirectory directory_;
};

TEST_F(Merge, GivesTheBytesOfOneRun) {
  for (int i = 1; i <= 4; ++i) shard(i, 4, {"--no-times"});
  ASSERT_EQ(run({"--no-times", "-o", path("one")}).code, 0);

  EXPECT_THAT(merge({"3", "1", "4", "2"}), exits(0).out("36 rows: 36 ok"));
  EXPECT_EQ(text_of(directory_ / "merged/results.csv"), text_of(directory_ / "one/results.csv"));
}

TEST_F(Merge, TakesRowsThatWereCompressedAfterTheRun) {
  for (int i = 1; i <= 3; ++i) shard(i, 3, {"--no-times"});
  ASSERT_EQ(run({"--no-times", "-o", path("one")}).code, 0);
  for (const auto& [part, ending] : {std::pair("1", ".gz"), {"3", ".zst"}}) {
    const std::string rows = path(part) + "/results.csv";
    replace_text(rows + ending, text_of(rows));
    std::filesystem::remove(rows);
  }

  EXPECT_THAT(merge({"1", "2", "3"}), exits(0));
  EXPECT_EQ(text_of(directory_ / "merged/results.csv"), text_of(directory_ / "one/results.csv"));
}

TEST_F(Merge, GivesARunThatGoesOnAsAnyOther) {
  for (int i = 1; i <= 2; ++i) shard(i, 2);
  ASSERT_EQ(merge({"1", "2"}).code, 0);

  EXPECT_THAT(run({"-o", path("merged")}), exits(0).err("36 of 36 cases finished already"));
  EXPECT_TRUE(std::filesystem::exists(directory_ / "merged/summary.md"));
}

TEST_F(Merge, SaysInTheManifestWhatWasMerged) {
  for (int i = 1; i <= 2; ++i) shard(i, 2);
  ASSERT_EQ(merge({"1", "2"}).code, 0);

  const std::string manifest = text_of(directory_ / "merged/manifest.json");
  EXPECT_THAT(manifest, holds("\"shard\": \"1/2\"", "\"shard\": \"2/2\"", "\"shard\": \"\"",
                              "\"rows\": 36", "\"merged\": [", "\"merge\""));
}

TEST_F(Merge, RefusesGapsAndNamesTheMissingShards) {
  for (int i : {1, 2, 4}) shard(i, 4);

  EXPECT_THAT(merge({"1", "2", "4"}),
              exits(2).err(holds(" of 36 cases without a row, the first -a transform=",
                                 "; no directory is shard 3/4")));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "merged/results.csv"));
}

TEST_F(Merge, RefusesARunThatIsNotFinished) {
  for (int i = 1; i <= 2; ++i) shard(i, 2);
  std::filesystem::rename(directory_ / "2/results.csv", directory_ / "2/results.csv.part");

  EXPECT_THAT(merge({"1", "2"}).err, holds("/2: this run is not finished"));
  write_text(directory_ / "2/results.csv", csv_header());
  EXPECT_THAT(merge({"1", "2"}).err, holds("/2: this run is not finished"));
}

TEST_F(Merge, TakesRowsTwiceIfTheyAgreeButForTimes) {
  ASSERT_EQ(run({"-o", path("a")}).code, 0);
  ASSERT_EQ(run({"-o", path("b")}).code, 0);
  ASSERT_NE(text_of(directory_ / "a/results.csv"), text_of(directory_ / "b/results.csv"));

  EXPECT_EQ(merge({"a", "b"}).code, 0);
  EXPECT_EQ(text_of(directory_ / "merged/results.csv"), text_of(directory_ / "a/results.csv"));
}

TEST_F(Merge, RefusesRowsThatDisagree) {
  ASSERT_EQ(run({"-o", path("a")}).code, 0);
  const Watch watch([](std::size_t n) {
    if (n == 64) throw std::runtime_error("no luck");
  });
  ASSERT_EQ(run({"-o", path("b")}).code, 3);

  EXPECT_THAT(merge({"a", "b"}),
              exits(2).err(holds("/a/results.csv and ", "/b/results.csv disagree on -a tran",
                                 "-a n=64 ", "err_l2_rel is '", "' and ''")));
}

TEST_F(Merge, RefusesManifestsThatDiffer) {
  for (int i = 1; i <= 2; ++i) shard(i, 2);
  for (const auto& [from, to, key] : std::vector<std::array<std::string, 3>>{
           {"\"numerics_version\": ", "\"numerics_version\": 9", "numerics_version"},
           {"\"version\": \"", "\"version\": \"9", "version"},
           {"\"git_hash\": \"", "\"git_hash\": \"9", "git_hash"},
           {"\"sweep\": \"small", "\"sweep\": \"other", "sweep"},
           {"\"times\": true", "\"times\": false", "times"},
           {"\"axes\": []", "\"axes\": [\"n=8\"]", "axes"},
           {"seed = \\\"1..3", "seed = \\\"1..4", "sweep_text"},
           {"\"shard\": \"2/2\"", "\"shard\": \"2/3\"", "shard"}}) {
    const std::string whole = text_of(directory_ / "2/manifest.json");
    edit("2/manifest.json", from, to);

    const Outcome outcome = merge({"1", "2"});

    EXPECT_EQ(outcome.code, 2) << key;
    EXPECT_THAT(outcome.err, holds("/1/manifest.json and ", "/2/manifest.json differ in " + key));
    write_text(directory_ / "2/manifest.json", whole);
  }
  EXPECT_EQ(merge({"1", "2"}).code, 0);
}

TEST_F(Merge, AsksHowTruthsWereMadeButNotWhereTheyWereKept) {
  for (int i = 1; i <= 2; ++i) shard(i, 2);
  edit("2/manifest.json", R"("tier": "auto")", R"("tier": "mpfr")");
  EXPECT_THAT(merge({"1", "2"}).err, holds("/2/manifest.json differ in truth"));

  edit("2/manifest.json", R"("tier": "mpfr")", R"("tier": "auto")");
  // Earlier versions kept truths on disk.
  edit("2/manifest.json", R"("precision_bits": )",
       R"("cache": "/x", "cache_hits": 7, "cache_misses": 1, "precision_bits": )");
  EXPECT_EQ(merge({"1", "2"}).code, 0);
}

TEST_F(Merge, RefusesRowsThatTheSweepDoesNotHold) {
  shard(1, 1);
  edit("1/manifest.json", "seed = \\\"1..3", "seed = \\\"1..2");

  EXPECT_THAT(merge({"1"}).err, holds("/1/results.csv: holds a case that its sweep does not"));
}

TEST_F(Merge, RefusesToWriteOverARun) {
  shard(1, 1);

  EXPECT_THAT(merge({"1"}, "1").err, holds("/1/results.csv: holds a run already"));
}

TEST_F(Merge, MergesShardsWithoutCases) {
  for (int i = 1; i <= 3; ++i) {
    EXPECT_THAT(run({"-f", "mode=fp32 and n=8 and seed=1..2", "--shard", std::to_string(i) + "/3",
                     "-o", path(std::to_string(i))}),
                exits(0));
  }

  EXPECT_EQ(merge({"1", "2", "3"}).code, 0);
  EXPECT_EQ(testing::read_csv(directory_ / "merged/results.csv").size(), 2u);
}

}  // namespace
}  // namespace fftprec::results

/// fftprec history: runs in the order of their time, and where a metric moved.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "reports/results/manifest.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/one_command.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::commands {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using testing::exits;
using testing::holds;
using ::testing::Not;
using testing::Words;

class HistoryCommand : public testing::OneCommand {
 protected:
  /// A run of these rows.
  std::string make_run(const std::string& name, const std::string& ended, const std::string& hash,
                       const std::vector<Row>& rows, const std::string& of_results = "") const {
    std::filesystem::create_directory(path(name));
    write_rows(name + "/results.csv", rows);
    results::Manifest manifest;
    manifest.ended = ended;
    manifest.environment.version = "0.1.0";
    manifest.environment.git_hash = hash;
    manifest.results_version = of_results;
    manifest.results_hash = text_hash(read_file(path(name + "/results.csv")));
    write(name + "/manifest.json", results::manifest_json(manifest));
    return path(name);
  }

  testing::Outcome history(Words words) {
    words.insert(words.begin(), "history");
    return run(std::move(words));
  }

  /// Three runs, the second of which made bf16 twice as bad; not in the order of their names.
  Words three_runs() const {
    const auto rows = [](double bf16) {
      return std::vector<Row>{made_up({.error = 1e-7}), made_up({.mode = "bf16", .error = bf16})};
    };
    return {make_run("a", "2025-03-03T00:00:00Z", "cccccccccccc", rows(0.004)),
            make_run("b", "2025-01-01T00:00:00Z", "aaaaaaaaaaaa", rows(0.002)),
            make_run("c", "2025-02-02T00:00:00Z", "", rows(0.004))};
  }
};

TEST_F(HistoryCommand, TellsWhatMovedFromTheOldestRunToTheNewest) {
  EXPECT_THAT(history(three_runs()), exits(0));

  EXPECT_THAT(out_, ContainsRegex("1    2025-01-01T00:00:00Z  aaaaaaa +" + path("b")));
  EXPECT_THAT(out_, ContainsRegex("2    2025-02-02T00:00:00Z  0.1.0 +" + path("c")))
      << "without a commit the version";
  EXPECT_THAT(out_, ContainsRegex("radix2-dit +fp32 +1 +1e-7 +1e-7 +1 +none\n"));
  EXPECT_THAT(out_, ContainsRegex("radix2-dit +bf16 +1 +2e-3 +4e-3 +2 +2 +2\n"));
  EXPECT_THAT(out_, holds("2 cases in every run, 0 not"));
}

/// Sorted rows are read side by side, others in memory.
TEST_F(HistoryCommand, DoesNotDependOnTheOrderOfRows) {
  const auto rows = [](std::uint64_t first, double error) {
    std::vector<Row> rows;
    for (std::uint64_t seed = first; seed < first + 20; ++seed)
      rows.push_back(made_up({.seed = seed, .error = error * static_cast<double>(seed)}));
    return rows;
  };
  std::vector<Row> later = rows(8, 2e-7);
  const std::string a = make_run("a", "2025-01-01T00:00:00Z", "aaaaaaaaaaaa", rows(1, 1e-7));
  const auto found = [&] {
    const std::string b = make_run("b", "2025-01-02T00:00:00Z", "bbbbbbbbbbbb", later);
    EXPECT_THAT(history({a, b, "--csv", path("t.csv")}), exits(0));
    return out_ + read_file(path("t.csv"));
  };
  const std::string sorted = found();
  EXPECT_THAT(sorted, holds("13 cases in every run, 14 not"));

  std::ranges::reverse(later);

  EXPECT_EQ(found(), sorted);
}

TEST_F(HistoryCommand, NamesTheVersionOfTheProgramWhoseResultsTheRowsAre) {
  const std::vector<Row> rows = {made_up({})};
  const std::string a = make_run("a", "2025-01-01T00:00:00Z", "cccccccccccc", rows, "1.2 (abc)");
  const std::string b = make_run("b", "2025-01-02T00:00:00Z", "cccccccccccc", rows, "1.3 (def)");

  EXPECT_THAT(history({a, b, "--csv", path("t.csv")}), exits(0));

  EXPECT_THAT(out_, ContainsRegex("1    2025-01-01T00:00:00Z  1.2 \\(abc\\) +"));
  EXPECT_THAT(out_, Not(holds("ccccccc")));
  EXPECT_THAT(read_file(path("t.csv")), holds(",1.3 (def),"));
}

TEST_F(HistoryCommand, TellsWhereANanBegins) {
  const auto rows = [](double last) {
    return std::vector<Row>{made_up({.seed = 1, .error = 1e-7}),
                            made_up({.seed = 2, .error = last})};
  };
  const std::string a = make_run("a", "2025-01-01T00:00:00Z", "", rows(1e-7));
  const std::string b = make_run("b", "2025-01-02T00:00:00Z", "", rows(2e-7));
  const std::string c =
      make_run("c", "2025-01-03T00:00:00Z", "", rows(std::numeric_limits<double>::quiet_NaN()));

  EXPECT_THAT(history({a, b, c}), exits(0));

  EXPECT_THAT(out_, ContainsRegex("radix2-dit +fp32 +2 +1e-7 +nan +nan +nan +3\n"));
}

TEST_F(HistoryCommand, WritesEveryMedianAndDrawsThem) {
  Words words = three_runs();
  const std::string first = words[1];
  words.insert(words.end(), {"--csv", path("t.csv"), "--plot", path("t.svg"), "--panel", "none"});

  EXPECT_THAT(history(words), exits(0));

  const std::string csv = read_file(path("t.csv"));
  EXPECT_THAT(csv, holds("directory,made,version,mode,metric,median,low,high,rows\n",
                         first + ",2025-01-01T00:00:00Z,aaaaaaa,bf16,err_l2_rel,0.002,0.002,"
                                 "0.002,1\n"));
  EXPECT_THAT(read_file(path("t.svg")), holds(">aaaaaaa</text>", ">2025-03-03</text>"));
}

TEST_F(HistoryCommand, ComparesOnlyCasesThatEveryRunHas) {
  const std::string a =
      make_run("a", "2025-01-01T00:00:00Z", "a",
               {made_up({.error = 1}), made_up({.seed = 2, .error = 100}), made_up({.n = 8})});
  const std::string b = make_run("b", "2025-01-02T00:00:00Z", "b",
                                 {made_up({.error = 3}), failed_row({.seed = 2}, "thrown")});

  EXPECT_THAT(history({a, b}), exits(0));

  EXPECT_THAT(
      out_, AllOf(ContainsRegex("fp32 +1 +1 +3 +3 +3 +2\n"), holds("1 case in every run, 2 not")));
  EXPECT_THAT(history({a, b, "-f", "n=8"}),
              exits(4).err("no case is in all 2 runs with err_l2_rel"));
}

TEST_F(HistoryCommand, RefusesWhatIsNoHistory) {
  const Words runs = three_runs();
  EXPECT_THAT(history({runs[0]}), exits(2).err("name two runs or more"));
  std::filesystem::remove(runs[1] + "/manifest.json");
  EXPECT_THAT(history(runs), exits(2).err("has no manifest.json"));
  EXPECT_THAT(history({runs[0], runs[2], "--metric", "mode"}),
              exits(2).err("unknown column of numbers 'mode'"));
}

}  // namespace
}  // namespace fftprec::commands

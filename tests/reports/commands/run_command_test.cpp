/// What a run prints, and which cases it runs.
#include "reports/commands/run_command.hpp"

#include <gmock/gmock.h>

#include <ctime>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "experiments/cases/evaluate.hpp"
#include "reports/results/csv.hpp"
#include "tests/reports/commands/run_words.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/read_csv.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/watched.hpp"

namespace fftprec::commands {
namespace {

using namespace testing;
using ::testing::StartsWith;

/// Rates and times replaced, so that the rest can be compared.
std::string without_noise(const std::string& text) {
  return std::regex_replace(text, std::regex("[0-9.]+ cases/s, ETA [^\n]*"), "R cases/s, ETA T");
}

TEST(RunCommand, PutsTheCsvOnStdoutAndTheRestOnStderr) {
  const Outcome outcome =
      run({"-a", "n=512,1024", "-a", "mode=bf16", "-f", "n>=1024", "--csv", "-", "-j", "1"});

  EXPECT_EQ(outcome.code, 0);
  const std::vector<Row> rows = results::parse_csv(outcome.out, "stdout");
  ASSERT_EQ(rows.size(), 1u);
  const Row expected = evaluate(Case{.mode = "bf16"});
  EXPECT_EQ(rows[0].where, expected.where);
  EXPECT_EQ(rows[0].output_hash, expected.output_hash);
  EXPECT_EQ(rows[0].err_l2_rel, expected.err_l2_rel);
  EXPECT_THAT(without_noise(outcome.err),
              holds("1/1 cases (100 %), R cases/s, ETA T\n"
                    "err_l2_rel; transform fft, machine trn, tables exact, input gaussian\n"
                    "algorithm   mode  n = 1024",
                    "\n1 row: 1 ok, 0 skipped, 0 failed\n"));
}

TEST(RunCommand, PutsTheTableOnStdoutOtherwise) {
  const TemporaryDirectory directory;
  const Outcome outcome = run({"-a", "n=8", "--csv", directory / "rows.csv"});

  EXPECT_THAT(outcome.out, holds("1 row: 1 ok"));
  EXPECT_EQ(testing::read_csv(directory / "rows.csv").size(), 1u);
}

TEST(RunCommand, TellsTheCostWithoutRunning) {
  const Watch watch([](std::size_t) { ADD_FAILURE() << "a dry run ran"; });

  EXPECT_THAT(
      run({"-a", "algorithm=watched", "-a", "n=10,20", "-a", "mode=fp32,bf16", "-n", "-j", "3"}),
      exits(0).out(holds("4 cases that share 2 truths\nestimated cost ", ", on 3 threads about ")));
}

TEST(RunCommand, TellsTheMemoryOfTheLargestCasesAtOnce) {
  EXPECT_THAT(run({"-a", "algorithm=direct", "-a", "n=10,1000000", "-n", "-j", "2"}).out,
              holds("\nmemory at least ", " MB with the 2 largest cases at once\n"));
  EXPECT_THAT(run({"-a", "n=16", "-n", "-j", "2"}).out,
              holds("\nmemory at least ", " MB\n").but_not("largest"));
}

TEST(RunCommand, RefusesWhatNoMemoryHoldsBeforeItRuns) {
  for (const char* n : {"4294967296", "9223372036854775808"})
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"-n"}, std::vector<std::string>{"--csv", "-"}}) {
      std::vector<std::string> all = {"-a", std::string("n=") + n};
      all.insert(all.end(), words.begin(), words.end());
      EXPECT_THAT(run(all), exits(2).err(holds(std::string("-a n=") + n, " GB of memory, ",
                                               " GB are available")));
    }
}

TEST(RunCommand, TellsTheCostOfLongMatrixProductsAtOnce) {
  std::ostringstream out, err;
  Context context{out,
                  err,
                  {"fftprec", "run", "-a", "algorithm=dft-gemm,direct,four-step,bluestein", "-a",
                   "mode=fp32,bf16,ozaki", "-a", "n=268435456", "-n"}};
  context.memory_bytes = [] { return 1e300; };
  const std::clock_t start = std::clock();
  EXPECT_EQ(run_cli(context), 0) << err.str();
  EXPECT_LT(std::clock() - start, 5 * CLOCKS_PER_SEC);
}

TEST(RunCommand, RunsOnlyItsShardAndLeavesGatesAndPlotsToTheWhole) {
  const TemporaryDirectory directory;
  std::size_t rows = 0;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const std::string place = directory / std::string(1, shard[0]);
    EXPECT_THAT(run({"-a", "n=8,16,32,64", "--shard", shard, "-o", place}),
                exits(0).err(std::string("manifest.json of shard ") + shard));
    rows += testing::read_csv(std::filesystem::path(place) / "results.csv").size();
    EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(place) / "plots"));
    EXPECT_THAT(text_of(std::filesystem::path(place) / "manifest.json"),
                holds(std::string("\"shard\": \"") + shard));
  }
  EXPECT_EQ(rows, 4u);
}

TEST(RunCommand, RefusesAnUnknownKindOfPlotBeforeARowRuns) {
  const TemporaryDirectory directory;
  const std::filesystem::path sweep = directory / "s.toml";
  write_text(sweep, "[axes]\n[[plot]]\nkind = \"heat\"\n");

  EXPECT_THAT(run({sweep, "-o", directory / "run"}),
              exits(2).err("s.toml:3:8: unknown plot kind 'heat'; did you mean "
                           "'heatmap'?; known: lines, heatmap, "));
  EXPECT_FALSE(std::filesystem::exists(directory / "run" / "results.csv"));
}

TEST(RunCommand, RefusesToMixShardsInOneDirectory) {
  const TemporaryDirectory directory;
  const std::vector<std::string> words = {"-a", "n=8,16", "-o", directory / "run", "--shard"};
  const auto with = [&words](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end() - (more.empty() ? 1 : 0));
    return run(more);
  };
  ASSERT_EQ(with({"1/2"}).code, 0);

  EXPECT_THAT(with({"2/2"}).err, holds("shard 1/2 is kept there, this is shard 2/2"));
  EXPECT_THAT(with({}).err, holds("shard 1/2 is kept there, this is the whole sweep"));
  EXPECT_EQ(with({"2/2", "--rerun", "all"}).code, 0);

  write_text(directory / "run/manifest.json", "{\"shard\": 3}");
  EXPECT_THAT(with({"2/2"}).err, holds("run/manifest.json: is no manifest"));
}

TEST(RunCommand, TakesItsShardFromASlurmArray) {
  ::setenv("SLURM_ARRAY_TASK_ID", "1", 1);
  ::setenv("SLURM_ARRAY_TASK_MIN", "0", 1);
  ::setenv("SLURM_ARRAY_TASK_MAX", "1", 1);
  ::setenv("SLURM_ARRAY_TASK_STEP", "1", 1);
  ::setenv("SLURM_ARRAY_TASK_COUNT", "2", 1);
  const Outcome taken = run({"-a", "n=8,16", "-n"});
  const Outcome told = run({"-a", "n=8,16", "--shard", "1/1", "-n"});
  for (const char* name : {"ID", "MIN", "MAX", "STEP", "COUNT"})
    ::unsetenv(("SLURM_ARRAY_TASK_" + std::string(name)).c_str());

  EXPECT_THAT(taken.err, holds("shard 2/2, by this task of the Slurm job array"));
  EXPECT_THAT(taken.out, StartsWith("1 case "));
  EXPECT_THAT(told.out, StartsWith("2 cases "));
}

TEST(RunCommand, LeavesTimesOutWhenAsked) {
  const TemporaryDirectory directory;
  const std::vector<std::string> words = {"-a", "n=8", "-o", directory / "run"};
  std::vector<std::string> without = words;
  without.push_back("--no-times");

  EXPECT_EQ(run(without).code, 0);

  EXPECT_EQ(testing::read_csv(directory / "run/results.csv").at(0).time_ns, std::nullopt);
  EXPECT_THAT(run(words).err, holds("the rows there were made with --no-times"));
}

TEST(RunCommand, GivesCode4IfEveryCaseIsSkipped) {
  EXPECT_THAT(run({"-a", "n=12"}), exits(4)
                                       .out(holds("0 ok, 1 skipped, 0 failed", "n = 12"))
                                       .err("nothing was measured: every case is skipped"));
  EXPECT_THAT(run({"-a", "n=8,12"}), exits(0).out("1 ok, 1 skipped, 0 failed"));
}

TEST(RunCommand, GivesCode3IfACaseFailsAndRunsTheOthers) {
  const Watch watch([](std::size_t n) {
    if (n == 16) throw std::runtime_error("no luck");
  });

  const Outcome outcome = run({"-a", "algorithm=watched", "-a", "n=8,16,32", "--csv", "-"});

  EXPECT_EQ(outcome.code, 3);
  const std::vector<Row> rows = results::parse_csv(outcome.out, "stdout");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].status, Status::failed);
  EXPECT_EQ(rows[1].message, "no luck");
  EXPECT_EQ(rows[2].status, Status::ok);
  EXPECT_THAT(outcome.err,
              holds("2 ok, 0 skipped, 1 failed", "first failed: no luck\n  fftprec run -a"));
}

TEST(RunCommand, RunsNothingIfAnyNameIsUnknown) {
  const Watch watch([](std::size_t) { ADD_FAILURE() << "something ran"; });

  EXPECT_EQ(run({"-a", "algorithm=watched", "-a", "mode=fp32,fst"}).code, 2);
}

TEST(RunCommand, MeasuresAgainstTheTruthsAskedFor) {
  const auto row = [](const char* option, const char* value) {
    const Outcome outcome = run({"-a", "n=8", option, value, "--csv", "-"});
    return results::parse_csv(outcome.out, "stdout").at(0);
  };
  EXPECT_EQ(row("--truth", "mpfr").truth_tier, truth::Tier::mpfr);
  EXPECT_EQ(row("--truth", "dd").truth_tier, truth::Tier::double_double);

  EXPECT_GE(row("--truth-bits", "100").truth_bits.value(), 100u);
  const Outcome outcome =
      run({"-a", "n=1024", "--truth", "dd", "--truth-bits", "105", "--csv", "-"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, holds("not the 105 needed"));

  const Outcome integers = run({"-a", "n=8", "--truth", "gmp", "--csv", "-"});
  EXPECT_EQ(integers.code, 3);
  EXPECT_THAT(integers.out, holds("has no way in gmp, which computes products of integers alone"));
}

}  // namespace
}  // namespace fftprec::commands

/// What a run prints, and which cases it runs.
#include "reports/commands/run_command.hpp"

#include <gmock/gmock.h>

#include <ctime>
#include <regex>

#include "reports/results/csv.hpp"
#include "tests/reports/commands/run_words.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/read_csv.hpp"
#include "tests/support/temporary_directory.hpp"

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
  EXPECT_EQ(rows[0].where, (Case{.mode = "bf16"}));
  EXPECT_EQ(rows[0].err_l2_rel, 1);
  EXPECT_EQ(without_noise(outcome.err),
            "1/1 cases (100 %), R cases/s, ETA T\n"
            "err_l2_rel; transform fft, machine trn, tables exact, input gaussian\n"
            "algorithm   mode  n = 1024  worst err/bound  rows\n"
            "radix2-dit  bf16         1           0.0625     1\n"
            "1 row: 1 ok, 0 skipped, 0 failed\n");
}

TEST(RunCommand, PutsTheTableOnStdoutOtherwise) {
  const TemporaryDirectory directory;
  const Outcome outcome = run({"-a", "n=8", "--csv", directory / "rows.csv"});

  EXPECT_THAT(outcome.out, holds("1 row: 1 ok"));
  EXPECT_EQ(testing::read_csv(directory / "rows.csv").size(), 1u);
}

TEST(RunCommand, TellsTheCostWithoutRunning) {
  CaseFunctions functions = fake_functions();
  functions.evaluate = [](const Case&, const Problem&, Isa) -> Row {
    ADD_FAILURE() << "a dry run ran";
    return {};
  };

  const Outcome outcome =
      run({"-a", "n=10,20", "-a", "mode=fast,bf16", "-n", "-j", "3"}, functions);

  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            "4 cases that share 2 truths\n"
            "estimated cost 1 min 0 s, on 3 threads about 20 s\n");
}

TEST(RunCommand, TellsTheMemoryOfTheLargestCasesAtOnce) {
  CaseFunctions functions = fake_functions();
  functions.costs.least_bytes = [](const Case& where) {
    return 1e6 * static_cast<double>(where.n);
  };

  EXPECT_THAT(run({"-a", "n=10,20,1000", "-n", "-j", "2"}, functions).out,
              holds("\nmemory at least 1 GB, 1.02 GB with the 2 largest cases at once\n"));
  EXPECT_THAT(run({"-a", "n=10", "-n", "-j", "2"}, functions).out,
              holds("\nmemory at least 10 MB\n"));
}

TEST(RunCommand, RefusesWhatNoMemoryHoldsBeforeItRuns) {
  for (const char* n : {"4294967296", "9223372036854775808"})
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"-n"}, std::vector<std::string>{"--csv", "-"}}) {
      std::vector<std::string> all = {"-a", std::string("n=") + n};
      all.insert(all.end(), words.begin(), words.end());
      EXPECT_THAT(
          run(all, real_case_functions()),
          exits(2).err(holds(std::string("-a n=") + n, " GB of memory, ", " GB are there")));
    }
}

TEST(RunCommand, TellsTheCostOfLongMatrixProductsAtOnce) {
  CaseFunctions functions = real_case_functions();
  functions.costs.least_bytes = {};
  const std::clock_t start = std::clock();
  EXPECT_EQ(run({"-a", "algorithm=dft-gemm,direct,four-step,bluestein", "-a",
                 "mode=fast,bf16,ozaki", "-a", "n=268435456", "-n"},
                functions)
                .code,
            0);
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
                           "'heatmap'?; known: lines, heatmap, cost, histogram, "
                           "spectrum"));
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
  CaseFunctions functions = fake_functions();
  functions.evaluate = [](const Case& where, const Problem& problem, Isa isa) {
    Row row = fake_functions().evaluate(where, problem, isa);
    row.time_ns = 7;
    return row;
  };
  const std::vector<std::string> words = {"-a", "n=8", "-o", directory / "run"};
  std::vector<std::string> without = words;
  without.push_back("--no-times");

  EXPECT_EQ(run(without, functions).code, 0);

  EXPECT_EQ(testing::read_csv(directory / "run/results.csv").at(0).time_ns, std::nullopt);
  EXPECT_THAT(run(words, functions).err, holds("the rows there were made with --no-times"));
}

TEST(RunCommand, GivesCode4IfNothingMatches) {
  EXPECT_THAT(run({"-a", "n=8", "-f", "n=9"}), exits(4).err("fftprec: no case matches -f 'n=9'\n"));
}

TEST(RunCommand, GivesCode4IfEveryCaseIsSkipped) {
  CaseFunctions functions = fake_functions();
  functions.evaluate = [](const Case& where, const Problem& problem, Isa isa) {
    Row row = fake_functions().evaluate(where, problem, isa);
    if (where.n != 12) return row;
    row = Row{.where = where};
    row.status = Status::skipped;
    row.message = "n is no power of two";
    return row;
  };

  EXPECT_THAT(run({"-a", "n=12"}, functions),
              exits(4)
                  .out(holds("0 ok, 1 skipped, 0 failed", "n is no power of two"))
                  .err("nothing was measured: every case is skipped"));
  EXPECT_THAT(run({"-a", "n=8,12"}, functions), exits(0).out("1 ok, 1 skipped, 0 failed"));
}

TEST(RunCommand, GivesCode3IfACaseFailsAndRunsTheOthers) {
  CaseFunctions functions = fake_functions();
  functions.evaluate = [](const Case& where, const Problem& problem, Isa isa) {
    if (where.n == 16) throw std::runtime_error("no luck");
    return fake_functions().evaluate(where, problem, isa);
  };

  const Outcome outcome = run({"-a", "n=8,16,32", "--csv", "-"}, functions);

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
  CaseFunctions functions = fake_functions();
  functions.make_problem = [](const ProblemKey&, const truth::TruthOptions&,
                              TruthCache*) -> Problem {
    ADD_FAILURE() << "something ran";
    return {};
  };

  EXPECT_EQ(run({"-a", "mode=fast,fst"}, functions).code, 2);
  EXPECT_EQ(run({"smoke"}, functions).code, 2) << "the fake functions do not know its modes";
}

TEST(RunCommand, PassesTheInstructionSetOn) {
  CaseFunctions functions = fake_functions();
  functions.evaluate = [](const Case& where, const Problem& problem, Isa isa) {
    Row row = fake_functions().evaluate(where, problem, isa);
    row.message = name_of(isa);
    return row;
  };

  EXPECT_THAT(run({"-a", "n=8", "--isa", "baseline", "--csv", "-"}, functions).out,
              holds(",baseline\n"));
  EXPECT_THAT(run({"-a", "n=8", "--csv", "-"}, functions).out,
              holds("," + std::string(name_of(best_isa())) + "\n"));
}

TEST(RunCommand, GivesTheSameRowsOnAnyNumberOfThreads) {
  const std::vector<std::string> words = {"-a", "n=1..50",        "-a",    "seed=1..3",
                                          "-a", "mode=fast,bf16", "--csv", "-"};
  const auto on = [&words](const char* threads) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"-j", threads});
    return run(all).out;
  };

  const std::string one = on("1");
  EXPECT_EQ(results::parse_csv(one, "stdout").size(), 300u);
  EXPECT_EQ(on("2"), one);
  EXPECT_EQ(on("7"), one);
}

}  // namespace
}  // namespace fftprec::commands

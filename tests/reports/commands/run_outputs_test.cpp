/// What `fftprec run -o DIR` leaves beside the rows, and how gates decide its exit code.
#include "reports/commands/run_outputs.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "reports/results/csv.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/read_csv.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/watched.hpp"

namespace fftprec::commands {
namespace {

using testing::exits;
using testing::holds;
using testing::lacks;
using testing::Outcome;
using testing::run_line;
using ::testing::StartsWith;
using testing::TemporaryDirectory;
using testing::text_of;
using testing::Words;
using testing::write_text;

/// A sweep of n = 8 in bf16 whose gate file, in a folder beside it, is `gates`. Its error is
/// between 1e-3 and 1e-2.
class GatedSweep : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(directory_ / "sub/rules");
    write_text(directory_ / "sub/sweep.toml",
               "gates = 'rules/g.toml'\n[axes]\nalgorithm = 'watched'\nmode = 'bf16'\nn = 8\n");
  }
  void gates(const std::string& text) const { write_text(directory_ / "sub/rules/g.toml", text); }
  Outcome run(Words more = {}) const {
    more.insert(more.begin(),
                {"run", directory_ / "sub/sweep.toml", "-o", directory_ / "out", "-j", "1"});
    return run_line(more);
  }
  static std::string limit(const std::string& value) {
    return "[[gate]]\nname = 'budget'\nkind = 'max'\nreason = 'r'\nmetric = 'err_l2_rel'\nlimit "
           "= " +
           value + "\n";
  }

  TemporaryDirectory directory_;
};

TEST_F(GatedSweep, PassesWithItsGatesRelativeToItself) {
  gates(limit("1e-2"));

  EXPECT_THAT(run(), exits(0)
                         .out(holds("1 row: 1 ok", "1 of 1 gates pass"))
                         .err("out: results.csv, manifest.json, summary.md, plots/\n"));
  EXPECT_THAT(text_of(directory_ / "out/summary.md"), holds("## Gates\n\n1 of 1 gates pass."));
}

TEST_F(GatedSweep, GivesCode1IfAGateFailsAndKeepsEverything) {
  gates(limit("1e-3"));

  EXPECT_THAT(run(), exits(1).out("FAIL budget: r"));
  EXPECT_EQ(testing::read_csv(directory_ / "out/results.csv").size(), 1u);
  EXPECT_THAT(text_of(directory_ / "out/summary.md"), holds("**FAIL**"));
  EXPECT_EQ(run().code, 1) << "a finished run is judged again";
}

TEST_F(GatedSweep, PutsVerdictsOnStderrWhereTheCsvIsOnStdout) {
  gates(limit("1e-2"));

  const Outcome outcome = run({"--csv", "-"});

  EXPECT_EQ(results::parse_csv(outcome.out, "stdout").size(), 1u);
  EXPECT_THAT(outcome.err, holds("1 of 1 gates pass"));
}

TEST_F(GatedSweep, IsNotJudgedAndSaysSoWhereTheCommandChangesIt) {
  gates(limit("1e-3"));

  for (const auto& [option, value] : {std::pair{"-a", "seed=1"}, {"-f", "n=8"}}) {
    EXPECT_THAT(
        run({option, value}),
        exits(0).out(lacks("gates pass")).err("gates are not judged: -a or -f has changed"));
  }
}

TEST_F(GatedSweep, IsRefusedBeforeItRunsIfItsGatesAreWrong) {
  const testing::Watch watch([](std::size_t) { ADD_FAILURE() << "a case ran"; });
  const auto refused = [&](const std::string& message, Words more = {}) {
    const Outcome outcome = run(std::move(more));
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_THAT(outcome.err, holds(message));
  };

  refused("sub/sweep.toml: gates: ");
  refused("sub/rules/g.toml: cannot be read: No such file or directory", {"-n"});
  gates("[[gate]]\nname = 'x'\nkind = 'mix'\n");
  refused("sub/rules/g.toml:3:8: kind: unknown kind of gate 'mix'; did you mean 'max'?");
}

TEST_F(GatedSweep, GivesCode5WithoutItsBaselineAndKeepsTheRest) {
  gates(
      "[[gate]]\nname = 'b'\nkind = 'baseline'\nreason = 'r'\nmetric = 'err_l2_rel'\n"
      "baseline = 'kept.csv'\n");

  EXPECT_THAT(run(), exits(5)
                         .out("1 row: 1 ok")
                         .err(holds("not judged: ", "sub/rules/kept.csv: no such baseline")));
  EXPECT_EQ(testing::read_csv(directory_ / "out/results.csv").size(), 1u);
  EXPECT_THAT(text_of(directory_ / "out/summary.md"), holds("1 row: 1 ok", "NOT JUDGED"));
}

TEST_F(GatedSweep, WithoutRsvgConvertLacksPngsOnly) {
  gates(limit("1e-2"));

  EXPECT_THAT(run(), exits(0).err("no PNG images: 'rsvg-convert' was not found"));
  EXPECT_TRUE(std::filesystem::exists(directory_ / "out/plots/error_vs_n.svg"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "out/plots/error_vs_n.png"));
}

TEST_F(GatedSweep, IsStillJudgedAndSummedUpWherePlotsCannotBeWritten) {
  gates(limit("1e-2"));
  std::filesystem::create_directories(directory_ / "out");
  write_text(directory_ / "out/plots", "in the way");

  EXPECT_THAT(run(), exits(2)
                         .out("1 of 1 gates pass")
                         .err(holds("no plots: ", "out/plots: cannot be created",
                                    "out: results.csv, manifest.json\n")));
  EXPECT_THAT(text_of(directory_ / "out/summary.md"), holds("1 of 1 gates pass"));
}

TEST_F(GatedSweep, WritesItsFilesBeforeACsvThatCannotBeWritten) {
  gates(limit("1e-2"));

  const Outcome outcome = run({"--csv", "/dev/full"});

  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, holds("/dev/full: cannot be written"));
  EXPECT_EQ(outcome.out, "") << "the rows are in the directory";
  EXPECT_TRUE(std::filesystem::exists(directory_ / "out/summary.md"));
}

TEST(RunOutputs, JudgesABuiltInSweepByItsBuiltInGates) {
  const TemporaryDirectory directory;

  EXPECT_THAT(run_line({"run", "smoke", "-o", directory / "out", "-j", "1"}),
              exits(0).out(" gates pass"));
  EXPECT_THAT(text_of(directory / "out/summary.md"), holds("worst-case-bound"));
}

TEST(RunOutputs, NamesTheSweepInAnErrorOfItsBuiltInGates) {
  Plan plan;
  plan.sweep.builtin_gates = "[[gate]]\n";

  EXPECT_THAT(testing::error_text(
                  [&] { gates_of_run({.sweep = "smoke", .axes = {}, .filters = {}}, plan); }),
              StartsWith("built-in gates of smoke:1:1: "));
}

}  // namespace
}  // namespace fftprec::commands

/// fftprec gate and fftprec plot: exit codes and files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "experiments/support/files.hpp"
#include "reports/gates/gate_baseline.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/one_command.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::commands {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

const std::string bound_gate = "[[gate]]\nname = 'theory'\nkind = 'bound'\nsource = 's'\n";
const std::string kept_gate =
    "[[gate]]\nname = 'kept'\nkind = 'baseline'\nsource = 's'\nmetric = 'err_l2_rel'\n"
    "baseline = 'kept.csv'\n";

class GateCommand : public testing::OneCommand {
 protected:
  int gate(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "gate");
    return run(std::move(arguments));
  }
};

TEST_F(GateCommand, ExitsWith0IfEveryGatePasses) {
  write("g.toml", bound_gate);
  write_rows("results.csv", {made_up({})});

  EXPECT_EQ(gate({directory_.path().string(), "-g", path("g.toml")}), 0) << out_ << err_;
  EXPECT_THAT(out_, HasSubstr("1 of 1 gates pass"));
}

TEST_F(GateCommand, ExitsWith1IfAGateFails) {
  write("g.toml", bound_gate);
  write_rows("results.csv", {made_up({.error = 1})});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml")}), 1);
  EXPECT_THAT(out_, HasSubstr("FAIL theory"));
}

TEST_F(GateCommand, ExitsWith1IfARowIsNan) {
  write("g.toml", bound_gate);
  write_rows("results.csv", {made_up({.error = std::numeric_limits<double>::quiet_NaN()})});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml")}), 1);
}

TEST_F(GateCommand, ExitsWith1IfAGateMatchesNoRow) {
  write("g.toml", bound_gate + "where = 'mode=ozaki'\n");
  write_rows("results.csv", {made_up({})});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml")}), 1);
}

TEST_F(GateCommand, ExitsWith2OnAMistakeInTheGateFile) {
  write("g.toml", bound_gate + "wher = 'mode=ozaki'\n");
  write_rows("results.csv", {made_up({})});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml")}), 2);
  EXPECT_THAT(err_, HasSubstr("g.toml:5:1: "));
}

TEST_F(GateCommand, ExitsWith2IfThereIsNoRunOrNoGateFile) {
  write("g.toml", bound_gate);

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml")}), 2);
  write_rows("results.csv", {made_up({})});
  EXPECT_EQ(gate({path("results.csv"), "-g", path("none.toml")}), 2);
}

TEST_F(GateCommand, ExitsWith4IfTheRunHasNoRows) {
  write("g.toml", bound_gate);
  write_rows("results.csv", {});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml")}), 4);
}

TEST_F(GateCommand, ExitsWith5IfABaselineIsMissing) {
  write("g.toml", kept_gate);
  write_rows("results.csv", {made_up({})});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml")}), 5);
  EXPECT_THAT(err_, HasSubstr("kept.csv: no such baseline; make it with --update-baseline"));
}

TEST_F(GateCommand, ExitsWith5IfABaselineIsNoTableOfRows) {
  write("g.toml", kept_gate);
  write("kept.csv", "case_id,other\n1,2\n");
  write_rows("results.csv", {made_up({})});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml")}), 5);
}

TEST_F(GateCommand, ChecksSeveralGateFiles) {
  write("g.toml", bound_gate);
  write("h.toml", bound_gate + "where = 'mode=ozaki'\n");
  write_rows("results.csv", {made_up({})});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml"), "-g", path("h.toml")}), 1);
  EXPECT_THAT(out_, HasSubstr("1 of 2 gates pass"));
}

TEST_F(GateCommand, FailsANewRowIfABaselineIsRequired) {
  write("g.toml", kept_gate);
  write_rows("kept.csv", {made_up({.seed = 1})});
  write_rows("results.csv", {made_up({.seed = 1}), made_up({.seed = 2})});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml")}), 0) << out_;
  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml"), "--require-baseline"}), 1);
}

TEST_F(GateCommand, MakesABaselineThatTheSameRunPasses) {
  write("g.toml", kept_gate);
  Row row = made_up({});
  row.time_ns = 17;
  write_rows("results.csv", {row, skipped_row({.n = 3}, "n is odd")});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml"), "--update-baseline"}), 0) << err_;

  const std::vector<Row> kept = results::read_csv(path("kept.csv"));
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].message, "n is odd");
  EXPECT_FALSE(kept[1].time_ns) << "times never repeat";
  EXPECT_THAT(out_, HasSubstr("kept.csv: 2 added, 0 changed, 0 unchanged"));
}

TEST_F(GateCommand, ListsWhatMovedWhenABaselineIsUpdated) {
  write("g.toml", kept_gate);
  write_rows("kept.csv",
             {made_up({.seed = 1, .error = 0.5}), made_up({.seed = 2}), made_up({.seed = 9})});
  write_rows("results.csv",
             {made_up({.seed = 1, .error = 0.25}), made_up({.seed = 2}), made_up({.seed = 3})});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml"), "--update-baseline"}), 0);

  EXPECT_THAT(out_, HasSubstr("kept.csv: 1 added, 1 changed, 1 unchanged"));
  EXPECT_THAT(out_, HasSubstr("seed=1: err_l2_rel 0.5 -> 0.25\n"));
  EXPECT_EQ(results::read_csv(path("kept.csv")).size(), 4u) << "rows that the run lacks stay";
}

TEST_F(GateCommand, KeepsOnlyWhatAGateSelects) {
  write("g.toml", kept_gate + "where = 'n=64'\n");
  write_rows("results.csv", {made_up({.n = 64}), made_up({.n = 128})});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml"), "--update-baseline"}), 0);
  EXPECT_EQ(results::read_csv(path("kept.csv")).size(), 1u);
}

TEST_F(GateCommand, LeavesABrokenBaselineAlone) {
  write("g.toml", kept_gate);
  write("kept.csv", "not,rows\n");
  write_rows("results.csv", {made_up({})});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml"), "--update-baseline"}), 5);
  EXPECT_EQ(read_file(path("kept.csv")), "not,rows\n");
}

TEST_F(GateCommand, WritesMarkdownAndJunit) {
  write("g.toml", bound_gate);
  write_rows("results.csv", {made_up({})});

  gate({path("results.csv"), "-g", path("g.toml"), "--md", path("g.md"), "--junit", path("g.xml")});

  EXPECT_THAT(read_file(path("g.md")), HasSubstr("| pass | theory |"));
  EXPECT_THAT(read_file(path("g.xml")),
              HasSubstr("<testcase classname=\"bound\" name=\"theory\"/>"));
}

TEST_F(GateCommand, ExitsWith2IfAReportCannotBeWritten) {
  write("g.toml", bound_gate);
  write_rows("results.csv", {made_up({})});

  EXPECT_EQ(gate({path("results.csv"), "-g", path("g.toml"), "--md", path("none/g.md")}), 2);
  EXPECT_THAT(err_, HasSubstr("cannot be written"));
}

TEST_F(GateCommand, ComparesWithKeptRowsBesideTheGateFile) {
  write("g.toml", kept_gate);
  write_rows("kept.csv", {made_up({.error = 0.5})});
  write_rows("same.csv", {made_up({.error = 0.5})});
  write_rows("other.csv", {made_up({.error = 0.25})});

  EXPECT_EQ(gate({path("same.csv"), "-g", path("g.toml")}), 0);
  EXPECT_EQ(gate({path("other.csv"), "-g", path("g.toml")}), 1);
  fs::remove(path("kept.csv"));
  EXPECT_EQ(gate({path("same.csv"), "-g", path("g.toml")}), 5);
}

}  // namespace
}  // namespace fftprec::commands

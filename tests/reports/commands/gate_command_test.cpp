/// fftprec gate and fftprec plot: exit codes and files.
#include <gmock/gmock.h>

#include <limits>

#include "experiments/cases/evaluate.hpp"
#include "experiments/support/files.hpp"
#include "reports/gates/gate_baseline.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/one_command.hpp"
#include "tests/support/read_csv.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::commands {
namespace {

using testing::exits;
using testing::holds;
using testing::Words;

const std::string bound_gate = "[[gate]]\nname = 'theory'\nkind = 'bound'\nsource = 's'\n";
const std::string kept_gate =
    "[[gate]]\nname = 'kept'\nkind = 'baseline'\nsource = 's'\nmetric = 'err_l2_rel'\n"
    "baseline = 'kept.csv'\n";

class GateCommand : public testing::OneCommand {
 protected:
  /// Judges results.csv by g.toml.
  testing::Outcome gate(Words more = {}) {
    more.insert(more.begin(), {"gate", path("results.csv"), "-g", path("g.toml")});
    return run(std::move(more));
  }
  testing::Outcome gate(const std::string& rules, const std::vector<Row>& rows, Words more = {}) {
    write("g.toml", rules);
    write_rows(rows);
    return gate(std::move(more));
  }
};

/// Rows of n = 64 and 256 that name exact tables, and were made with others.
std::vector<Row> rows_with(const std::string& tables) {
  std::vector<Row> rows;
  for (const std::uint64_t n : {64u, 256u}) {
    rows.push_back(evaluate({.machine = "ieee", .tables = tables, .n = n}));
    rows.back().where.set(&Case::tables, "exact");
  }
  return rows;
}

const std::string budget_gate =
    "[[gate]]\nname = 'budget'\nkind = 'max'\nreason = 'r'\nmetric = 'err_l2_rel'\n"
    "limit = 1.4e-7\n";

TEST_F(GateCommand, GoesOnFromAFailureToItsCause) {
  const std::vector<Row> rows = rows_with("fp32-angle");
  EXPECT_THAT(gate(budget_gate, rows), exits(1).out(holds("FAIL budget").but_not("likely cause")));
  const std::string cause = "likely cause: like fp32-angle tables, P = ";
  EXPECT_THAT(
      gate({"--explain", "--md", path("v.md"), "--junit", path("v.xml")}),
      exits(1).out(holds("FAIL budget", "\n  " + cause, "\n  as named, radix2-dit fp32 n=256",
                         "\n  to see it: fftprec run -a ")));
  EXPECT_THAT(read_file(path("v.md")), holds("\nbudget: " + cause, "\n- as named, "));
  EXPECT_THAT(read_file(path("v.xml")), holds(cause));
}

TEST_F(GateCommand, SaysWhyAFailureIsNotExplained) {
  std::vector<Row> rows = rows_with("exact");
  EXPECT_THAT(gate("[[gate]]\nname = 'budget'\nkind = 'max'\nreason = 'r'\n"
                   "metric = 'err_l2_rel'\nlimit = 1e-9\n",
                   rows, {"--explain"}),
              exits(1).out(holds("likely cause: as named", "the error of the case itself")));
  for (Row& row : rows) {
    row.where.set(&Case::algorithm, "mine");
    row.err_l2_rel = evaluate({.mode = "bf16", .machine = "ieee", .n = row.where.n()}).err_l2_rel;
  }
  EXPECT_THAT(gate(budget_gate, rows, {"--explain"}),
              exits(1).out("likely cause: not explained: "));
  EXPECT_THAT(gate(budget_gate, rows, {"--explain", "-a", "algorithm=radix2-dit"}),
              exits(1).out("likely cause: like mode bf16, P = "));
  rows[0].err_l2_rel = rows[1].err_l2_rel = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(gate(budget_gate, rows, {"--explain", "-a", "algorithm=radix2-dit"}),
              exits(1).out("err_l2_rel = nan cannot be replayed"));
}

TEST_F(GateCommand, ShowsWhatABaselineMovedFromAndTo) {
  std::vector<Row> rows = {made_up({.n = 64, .error = 1e-7}), made_up({.n = 128, .error = 2e-7})};
  gate(kept_gate, rows, {"--update-baseline"});
  rows[0].err_l2_rel = 4e-7;
  rows[1].err_l2_rel = 3e-7;

  EXPECT_THAT(gate(kept_gate, rows, {"--md", path("v.md")}), exits(1));
  EXPECT_THAT(read_file(path("v.md")), holds("| case | before | after |\n|---|---:|---:|\n"
                                             "| n=64 | 1e-7 | 4e-7 |\n| n=128 | 2e-7 | 3e-7 |\n"));
}

TEST_F(GateCommand, ExitsWithTheCodeOfItsVerdict) {
  const Row good = made_up({});
  const std::string no_row = "where = 'mode=ozaki'\n";
  struct Verdict {
    std::string rules;
    std::vector<Row> rows;
    testing::Exits outcome;
  };
  const Verdict verdicts[] = {
      {bound_gate, {good}, exits(0).out("1 of 1 gates pass")},
      {bound_gate, {made_up({.error = 1})}, exits(1).out("FAIL theory")},
      {bound_gate, {made_up({.error = std::numeric_limits<double>::quiet_NaN()})}, exits(1)},
      {bound_gate + no_row, {good}, exits(1)},
      {bound_gate + "wher = 'mode=ozaki'\n", {good}, exits(2).err("g.toml:5:1: ")},
      {bound_gate, {}, exits(4)},
      {kept_gate,
       {good},
       exits(5).err("kept.csv: no such baseline; make it with --update-baseline")}};
  for (const auto& [rules, rows, outcome] : verdicts)
    EXPECT_THAT(gate(rules, rows), outcome) << rules;

  write("h.toml", bound_gate + no_row);
  EXPECT_THAT(gate(bound_gate, {good}, {"-g", path("h.toml")}), exits(1).out("1 of 2 gates pass"));
  write("kept.csv", "case_id,other\n1,2\n");
  EXPECT_THAT(gate(kept_gate, {good}), exits(5)) << "no table of rows";
}

TEST_F(GateCommand, JudgesGatesThatNeedNoBaselineWhereOneIsMissing) {
  const std::string rules = kept_gate + bound_gate;

  EXPECT_THAT(gate(rules, {made_up({})}),
              exits(5)
                  .out(holds("1 of 2 gates pass, 1 not judged", "NOT JUDGED kept: s\n  ",
                             "kept.csv: no such baseline; make it with --update-baseline"))
                  .err("kept.csv: no such baseline"));
  EXPECT_THAT(gate(rules, {made_up({.error = 1})}),
              exits(1).out(holds("FAIL theory", "NOT JUDGED kept")))
      << "a failure is told before what is missing";
  EXPECT_THAT(gate({"--junit", path("v.xml")}), exits(1));
  EXPECT_THAT(read_file(path("v.xml")), holds("failures=\"2\"", "no such baseline"));
  EXPECT_THAT(gate(rules, {made_up({})}, {"--update-baseline"}), exits(0));
}

/// Rows of a list of results, and of a program with algorithms of its own.
TEST_F(GateCommand, SelectsByNamesThatRowsHave) {
  Row device = made_up({});
  device.where.set(&Case::algorithm, "cufft");
  device.where.set(&Case::mode, "fp32-device");
  device.where.set(&Case::machine, "h100");
  device.where.set(&Case::tables, "own");
  const auto selecting = [](const std::string& where) {
    return bound_gate + "where = [" + where + "]\n";
  };
  for (const char* name :
       {"'mode=fp32-device'", "'algorithm=cufft', 'machine=h100'", "'tables=own,exact'"})
    EXPECT_THAT(gate(selecting(name), {device}), exits(0)) << name;

  EXPECT_THAT(gate(selecting("'mode=fp32-devise'"), {device}),
              exits(1).out("no row has mode=fp32-devise; did you mean 'fp32-device'?"));
  EXPECT_THAT(gate(selecting("'mode=fp32-device,bf61'"), {device}),
              exits(1).out("no row has mode=bf61; unknown mode 'bf61'; did you mean 'bf16'?"))
      << "beside a name that selects the row";
  EXPECT_THAT(gate(selecting("'mode!=bf61'"), {device}), exits(1).out("unknown mode 'bf61'"));
  EXPECT_THAT(gate(selecting("'mode=bf16'"), {device}), exits(1).out("no row matches mode=bf16"))
      << "known, so no mistake";
}

TEST_F(GateCommand, FailsANewRowIfABaselineIsRequired) {
  write_rows("kept.csv", {made_up({.seed = 1})});

  EXPECT_THAT(gate(kept_gate, {made_up({.seed = 1}), made_up({.seed = 2})}), exits(0));
  EXPECT_THAT(gate({"--require-baseline"}), exits(1));
}

TEST_F(GateCommand, MakesABaselineThatTheSameRunPasses) {
  Row row = made_up({});
  row.time_ns = 17;

  EXPECT_THAT(gate(kept_gate, {row, skipped_row({.n = 3}, "n is odd")}, {"--update-baseline"}),
              exits(0));

  const std::vector<Row> kept = testing::read_csv(path("kept.csv"));
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].message, "n is odd");
  EXPECT_FALSE(kept[1].time_ns) << "times never repeat";
  EXPECT_THAT(out_, holds("kept.csv: 2 added, 0 changed, 0 unchanged"));
}

TEST_F(GateCommand, ListsWhatMovedWhenABaselineIsUpdated) {
  write("g.toml", kept_gate);
  write_rows("kept.csv",
             {made_up({.seed = 1, .error = 0.5}), made_up({.seed = 2}), made_up({.seed = 9})});
  write_rows("results.csv",
             {made_up({.seed = 1, .error = 0.25}), made_up({.seed = 2}), made_up({.seed = 3})});

  EXPECT_THAT(gate({"--update-baseline"}), exits(0));

  EXPECT_THAT(
      out_, holds("kept.csv: 1 added, 1 changed, 1 unchanged", "seed=1: err_l2_rel 0.5 -> 0.25\n"));
  EXPECT_EQ(testing::read_csv(path("kept.csv")).size(), 4u) << "rows that the run lacks stay";
}

TEST_F(GateCommand, KeepsOnlyWhatAGateSelects) {
  EXPECT_THAT(gate(kept_gate + "where = 'n=64'\n", {made_up({.n = 64}), made_up({.n = 128})},
                   {"--update-baseline"}),
              exits(0));
  EXPECT_EQ(testing::read_csv(path("kept.csv")).size(), 1u);
}

TEST_F(GateCommand, ExitsWith2IfAReportCannotBeWritten) {
  EXPECT_THAT(gate(bound_gate, {made_up({})}, {"--md", path("none/g.md")}),
              exits(2).err("cannot be written"));
}

}  // namespace
}  // namespace fftprec::commands

/// Rows of a run as measured errors: names that stand in for others, and which rows are replayed.
#include "experiments/hypotheses/run_rows.hpp"

#include <gmock/gmock.h>

#include "experiments/cases/evaluate.hpp"
#include "experiments/hypotheses/explain.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::hypotheses {
namespace {

using fftprec::testing::error_text;
using testing::expect_each;
using testing::holds;

Row foreign_row() {
  Row row = made_up({.algorithm = "mine", .mode = "fp32-device"});
  row.where.set(&Case::machine, "h100");
  row.where.set(&Case::tables, "own");
  return row;
}

TEST(StandIns, RefuseOtherAxesAndUnknownValues) {
  const auto error = [](const std::string& text) {
    return error_text([&] { parse_stand_ins(std::vector{text}, check_names); });
  };
  expect_each(error, {{"n=64", "unknown axis that a name of a row may stand for 'n'"},
                      {"mode=fats", "unknown mode 'fats'"},
                      {"mode", "'mode' is not AXIS=VALUE"}});
  EXPECT_THAT(error_text([] {
                parse_stand_ins(std::vector<std::string>{"mode=fp32", "mode=bf16"}, check_names);
              }),
              holds("mode is given twice"));
}

TEST(MeasuredAsNamed, ReplacesOnlyTheNamesOfOtherPrograms) {
  const StandIns stand_ins =
      parse_stand_ins(std::vector<std::string>{"algorithm=stockham-r2", "mode=bf16"}, check_names);
  Row known = made_up({.mode = "fp16"});
  known.where.set(&Case::tables, "fp32-angle");

  const Measured measured =
      measured_as_named(std::vector{foreign_row(), known}, "run", stand_ins, check_names);

  const Case& replaced = measured.rows[0].where;
  EXPECT_EQ(replaced.algorithm, "stockham-r2");
  EXPECT_EQ(replaced.mode, "bf16");
  EXPECT_EQ(replaced.machine, "ieee");
  EXPECT_EQ(replaced.tables, "exact");
  const Case& kept = measured.rows[1].where;
  EXPECT_EQ(kept.algorithm, "radix2-dit");
  EXPECT_EQ(kept.mode, "fp16");
  EXPECT_EQ(kept.machine, "trn");
  EXPECT_EQ(kept.tables, "fp32-angle");
  EXPECT_FALSE(measured.rows[1].tables_known) << "a hypothesis may say other tables";
}

TEST(MeasuredAsNamed, RefusesAnAlgorithmWithoutAStandIn) {
  EXPECT_THAT(
      error_text([] { measured_as_named(std::vector{foreign_row()}, "run", {}, check_names); }),
      holds("unknown algorithm 'mine'", "or by -a"));
}

TEST(RowsToReplay, TakesTheFirstThatAreShortEnough) {
  Session session;
  const std::vector<Row> rows = {made_up({.n = 1 << 20}), made_up({.n = 64}), made_up({.n = 128}),
                                 made_up({.n = 1 << 19}), made_up({.n = 256})};
  const double long_enough = session.plan({.n = 1 << 19}).cost().whole_ns() / 2;

  const ChosenRows chosen = rows_to_replay(rows, 2, long_enough, session);

  ASSERT_EQ(chosen.rows.size(), 2u);
  EXPECT_EQ(chosen.rows[0].where.n(), 64u);
  EXPECT_EQ(chosen.rows[1].where.n(), 128u);
  EXPECT_EQ(chosen.too_long, 1u);
  EXPECT_EQ(chosen.shortest_too_long, 1u << 20);
  EXPECT_EQ(chosen.others, 2u);
}

TEST(FarthestFirst, OrdersByTheErrorOverWhatTheoryExpects) {
  std::vector<Row> rows = {made_up({.seed = 1, .error = 2e-7}), made_up({.seed = 2, .error = 1e-7}),
                           made_up({.seed = 3, .error = 5, .bound = {}}),
                           skipped_row({.seed = 4}, "")};
  rows[0].expected_l2_rel = 1e-7;
  rows[1].expected_l2_rel = 1e-8;

  const std::vector<Row> ordered = farthest_first(rows);

  ASSERT_EQ(ordered.size(), 3u);
  EXPECT_EQ(ordered[0].where.seed(), 2u);
  EXPECT_EQ(ordered[1].where.seed(), 1u);
  EXPECT_EQ(ordered[2].where.seed(), 3u) << "without theory last";
}

TEST(RunHypotheses, LeaveMachineAndTablesAsEachRowNamesThem) {
  const HypothesisSet set =
      parse_hypotheses(builtin_run_hypotheses(), "run_hypotheses.toml", check_names);
  MeasuredRow row;
  row.where = {.machine = "trn-rz", .tables = "fp32-angle"};
  std::size_t named = 0;
  bool has_mode = false;
  for (const Variant& variant : variants_of(set)) {
    const Case ran = case_under(variant, row);
    named += variant.is_as_named();
    if (variant.is_as_named()) EXPECT_EQ(ran, row.where);
    if (variant.dispatch.name == "mode bf16") {
      has_mode = true;
      EXPECT_EQ(ran.mode, "bf16");
      EXPECT_EQ(ran.machine, "trn-rz");
      EXPECT_EQ(ran.tables, "fp32-angle");
    }
  }
  EXPECT_EQ(named, 1u);
  EXPECT_TRUE(has_mode);
}

TEST(RunHypotheses, RefuseParametersOfTheNamedMachine) {
  EXPECT_THAT(error_text([] {
                parse_hypotheses(
                    "[[hypothesis]]\nid = 'a'\nstatement = 's'\n[[hypothesis.machines]]\n"
                    "base = 'named'\nset = { psum = 'bf16' }\n",
                    "h.toml", check_names);
              }),
              holds("'named' takes no parameters"));
}

}  // namespace
}  // namespace fftprec::hypotheses

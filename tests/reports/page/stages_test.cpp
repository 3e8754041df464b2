/// The case that a report follows from stage to stage, and its section.
#include <gmock/gmock.h>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "reports/page/page.hpp"
#include "reports/page/sections.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::page {
namespace {

using testing::holds;

Row measured(const Case& where) { return evaluate(where); }

TEST(ReportStages, FollowTheTraceableRowFarthestAboveItsExpectation) {
  std::vector<Row> rows = {measured({.mode = "bf16", .n = 16}), measured({.mode = "bf16", .n = 8}),
                           measured({.transform = "irfft", .mode = "fp64", .n = 8})};
  rows[0].expected_l2_rel = *rows[0].err_l2_rel / 2;
  rows[1].expected_l2_rel = *rows[1].err_l2_rel / 3;
  rows[2].expected_l2_rel = *rows[2].err_l2_rel / 9;

  const ReportStages stages = trace_for_report(rows, "");

  ASSERT_TRUE(stages.row && stages.errors);
  EXPECT_EQ(stages.row->where, rows[1].where);
  EXPECT_EQ(stages.errors->stages.back().err_l2_rel, *rows[1].err_l2_rel);
  EXPECT_EQ(stages.note, "");
}

TEST(ReportStages, FollowTheRowThatIsAskedFor) {
  const std::vector<Row> rows = {measured({.mode = "bf16", .n = 16}),
                                 measured({.mode = "bf16", .n = 8})};
  EXPECT_EQ(trace_for_report(rows, case_id(rows[0].where).substr(0, 7)).row->where, rows[0].where);
  EXPECT_THROW(trace_for_report(rows, "0123456789abcdef"), InputError);
}

TEST(ReportStages, SayWhatIsInTheWay) {
  Row missing{.where = Case{.n = 8, .input = "file:/no/such/file.npy"}, .err_l2_rel = 0.1};
  missing.expected_l2_rel = 0.1;
  const std::vector<Row> rows = {missing};

  const ReportStages none = trace_for_report(rows, "");
  EXPECT_FALSE(none.errors);
  EXPECT_THAT(none.note, holds("/no/such/file.npy"));
  EXPECT_THAT(stages_section(none), holds("/no/such/file.npy"));

  const ReportStages asked = trace_for_report(rows, case_id(missing.where));
  EXPECT_THAT(asked.note, holds("cannot be computed again"));

  EXPECT_THAT(trace_for_report({}, "").note, holds("No case"));
}

TEST(ReportStages, SayWhereTheRowIsNotRepeated) {
  Row other = measured({.mode = "bf16", .n = 8});
  other.err_l2_rel = 0.75;
  EXPECT_THAT(trace_for_report({&other, 1}, "").note, holds("differs from the row's"));
}

TEST(ReportStages, ListEveryStageWithItsErrors) {
  const Row row = measured({.mode = "bf16", .n = 4});
  const std::string html = stages_section(trace_for_report({&row, 1}, ""));
  EXPECT_THAT(html, holds("id=\"stages\"", "<th scope=\"row\">butterflies, stage 2</th>",
                          "<span>show</span>", "class=\"curve after"));
}

TEST(ReportStages, GiveTheBudgetOfTheSameCase) {
  const Row row = measured({.algorithm = "dft-gemm", .mode = "ozaki_hq", .n = 64});
  const ReportStages stages = trace_for_report({&row, 1}, "");

  ASSERT_TRUE(stages.budget);
  EXPECT_EQ(stages.budget->error, *row.err_l2_rel);
  EXPECT_EQ(stages.budget->sources.front().source, attribution::BudgetSource(ErrorSource::words));
  const std::string html = stages_section(stages);
  EXPECT_THAT(html, holds("Most of the error comes from operand words", "<span>attribute</span>",
                          "<th>source</th>", "<th scope=\"row\">matrix product</th>"));
}

TEST(ReportStages, SayWhyThereIsNoBudget) {
  const Row refined = measured({.mode = "bf16_refined", .n = 16});
  const ReportStages stages = trace_for_report({&refined, 1}, "");
  EXPECT_TRUE(stages.errors);
  EXPECT_FALSE(stages.budget);
  EXPECT_THAT(stages_section(stages), holds("cannot be separated: mode bf16_refined"));

  const Row row = measured({.mode = "bf16", .n = 16});
  const ReportStages slow = trace_for_report({&row, 1}, case_id(row.where), 0);
  EXPECT_TRUE(slow.errors);
  EXPECT_FALSE(slow.budget);
  EXPECT_THAT(slow.budget_note, holds("would take long"));
}

}  // namespace
}  // namespace fftprec::page

/// Error budgets as text and as a drawing, and the command.
#include "reports/commands/attribute_text.hpp"

#include <gmock/gmock.h>

#include "reports/plots/plot_budget.hpp"
#include "tests/support/command_line.hpp"

namespace fftprec {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// 3 and 4 make 5.
Budget made_up() {
  return {.error = 5e-3,
          .expected = 4.9e-3,
          .modelled = 5e-3,
          .sources = {{ErrorSource::tables, "tables", 4e-3, 3e-3, 4.1e-3},
                      {ErrorSource::additions, "additions", 3e-3, 4e-3, std::nullopt}},
          .quadrature = 5e-3,
          .interaction = 0,
          .correlation = 0.01,
          .stages = {{"input rounding", {0, 0}, 0}, {"stage 1", {4e-3, 3e-3}, 5e-3}},
          .floor_l2_rel = 1e-16};
}

testing::Outcome attribute(std::vector<std::string> words) {
  words.insert(words.begin(), "attribute");
  return testing::run_line(std::move(words), real_case_functions());
}

TEST(BudgetText, TellsSharesOfTheSquareAndHowTheyAddUp) {
  EXPECT_THAT(
      budget_text(made_up()),
      AllOf(HasSubstr("error 5.00e-03, expected 4.90e-03\n"),
            HasSubstr("Most of the error is of tables: 64.0 % of its square.\n"),
            HasSubstr("tables     4.00e-03  64.0 %  4.10e-03    3.00e-03\n"),
            HasSubstr("additions  3.00e-03  36.0 %              4.00e-03\n"),
            HasSubstr("in quadrature 5.00e-03, 1.000 of the error; of its square +0.0 % are left, "
                      "+1.0 % by"),
            HasSubstr("input rounding         -    0.0 %         -          -\n"),
            HasSubstr("stage 1         5.00e-03  100.0 %  4.00e-03   3.00e-03\n")));
}

TEST(BudgetText, NamesTwoSourcesWhereNoneMakesMost) {
  Budget budget = made_up();
  budget.sources[0].alone = 3.1e-3;
  EXPECT_THAT(verdict_of(budget),
              AllOf(HasSubstr("No source makes most of the error"),
                    HasSubstr("tables (38.4 % of its square)"), HasSubstr("additions (36.0 %)")));
  budget.sources.clear();
  EXPECT_THAT(verdict_of(budget), HasSubstr("exact"));
}

TEST(BudgetFigure, StacksTheSharesOfEachBar) {
  const Drawing drawing = budget_figure("budget", "a case", made_up());
  EXPECT_EQ(drawing.name, "budget");
  EXPECT_THAT(drawing.data, AllOf(HasSubstr("# tables\n0 0 64\n1 0 0\n2 0 64\n"),
                                  HasSubstr("# additions\n0 64 100\n1 0 0\n2 64 100\n")));
  EXPECT_THAT(drawing.script, AllOf(HasSubstr("'all stages' 0"), HasSubstr("'stage 1' 2"),
                                    HasSubstr("title 'tables'"), HasSubstr("set multiplot")));
}

TEST(Attribute, PrintsTheBudgetOfACase) {
  const testing::Outcome outcome =
      attribute({"-a", "mode=ozaki_hq", "-a", "algorithm=dft-gemm", "-a", "n=64"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("fft, dft-gemm, ozaki_hq, trn, tables exact, n = 64,"),
                                 HasSubstr("Most of the error is of operand words"),
                                 HasSubstr("matrix product"), HasSubstr("fftprec run -a ")));
}

TEST(Attribute, RefusesWhatItCannotTellApart) {
  EXPECT_EQ(attribute({"-a", "mode=bf16_refined", "-a", "n=8"}).code, 2);
  EXPECT_THAT(attribute({"-a", "mode=bf16_refined", "-a", "n=8"}).err, HasSubstr("refines"));
  EXPECT_THAT(attribute({"-a", "mode=double", "-a", "n=8"}).err, HasSubstr("binary64"));
  EXPECT_THAT(attribute({"-a", "n=8,16"}).err, HasSubstr("name 2 cases"));
  EXPECT_THAT(attribute({"-a", "n=8", "--plot", "x.txt"}).err, HasSubstr(".svg or .png"));
  EXPECT_THAT(attribute({}).err, HasSubstr("name a case"));
}

}  // namespace
}  // namespace fftprec

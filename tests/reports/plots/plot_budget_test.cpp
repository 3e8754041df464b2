/// Error budgets as drawings.
#include "reports/plots/plot_budget.hpp"

#include <gmock/gmock.h>

#include "tests/support/made_up_budget.hpp"

namespace fftprec {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::made_up_budget;

TEST(BudgetFigure, StacksTheSharesOfEachBar) {
  const Drawing drawing = budget_figure("budget", "a case", made_up_budget());
  EXPECT_EQ(drawing.name, "budget");
  EXPECT_THAT(drawing.data, AllOf(HasSubstr("# tables\n0 0 64\n1 0 0\n2 0 64\n"),
                                  HasSubstr("# additions\n0 64 100\n1 0 0\n2 64 100\n")));
  EXPECT_THAT(drawing.script, AllOf(HasSubstr("'all stages' 0"), HasSubstr("'stage 1' 2"),
                                    HasSubstr("title 'tables'"), HasSubstr("set multiplot")));
}

TEST(BudgetPanel, HasTheBarsOfTheFigureInCurvesThatAPageFinds) {
  const Drawing panel = budget_panel("budget", made_up_budget(), 800);
  EXPECT_EQ(panel.data, budget_figure("budget", "a case", made_up_budget()).data);
  EXPECT_THAT(panel.script, AllOf(HasSubstr("'stage 1' 2"), HasSubstr("title '1 tables'"),
                                  HasSubstr("title '3 additions'"), HasSubstr("unset key")));
  EXPECT_EQ(source_style(ErrorSource::tables), 1u);
}

}  // namespace
}  // namespace fftprec

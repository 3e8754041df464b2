/// Error budgets as text.
#include "reports/text/budget_text.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "tests/support/fragments.hpp"
#include "tests/support/made_up_budget.hpp"

namespace fftprec::text {
namespace {

using testing::holds;
using testing::made_up_budget;

TEST(BudgetText, TellsSharesOfTheSquareAndHowTheyAddUp) {
  EXPECT_THAT(budget_text(made_up_budget()),
              holds("error 5e-3, expected 4.9e-3\n",
                    "Most of the error comes from tables: 64.0 % of its square.\n",
                    "tables      4e-3  64.0 %    4.1e-3        3e-3\n",
                    "additions   3e-3  36.0 %                  4e-3\n",
                    "in quadrature 5e-3, 1.000 of the error; of its square +0.0 % are left, "
                    "+1.0 % by",
                    "input rounding     -    0.0 %       -          -\n",
                    "stage 1         5e-3  100.0 %    4e-3       3e-3\n"));
}

TEST(BudgetText, NamesTwoSourcesWhereNoneMakesMost) {
  attribution::Budget budget = made_up_budget();
  budget.sources[0].alone = 3.1e-3;
  EXPECT_THAT(verdict_of(budget), holds("No source makes most of the error",
                                        "tables (38.4 % of its square)", "additions (36.0 %)"));
  budget.sources.clear();
  EXPECT_THAT(verdict_of(budget), holds("exact"));
}

TEST(BudgetText, GivesNoShareOfAnErrorThatIsNotFinite) {
  attribution::Budget budget = made_up_budget();
  budget.error = std::numeric_limits<double>::quiet_NaN();
  budget.sources[0].alone = budget.error;
  EXPECT_THAT(
      budget_text(budget),
      holds("error nan", "The error is nan because results overflow, so it cannot be divided",
            "tables       nan      -")
          .but_not("nan %", "in quadrature"));
}

}  // namespace
}  // namespace fftprec::text

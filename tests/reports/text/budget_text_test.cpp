/// Error budgets as text.
#include "reports/text/budget_text.hpp"

#include <gmock/gmock.h>

#include "tests/support/made_up_budget.hpp"

namespace fftprec::text {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::made_up_budget;

TEST(BudgetText, TellsSharesOfTheSquareAndHowTheyAddUp) {
  EXPECT_THAT(
      budget_text(made_up_budget()),
      AllOf(HasSubstr("error 5e-3, expected 4.9e-3\n"),
            HasSubstr("Most of the error comes from tables: 64.0 % of its square.\n"),
            HasSubstr("tables      4e-3  64.0 %    4.1e-3        3e-3\n"),
            HasSubstr("additions   3e-3  36.0 %                  4e-3\n"),
            HasSubstr("in quadrature 5e-3, 1.000 of the error; of its square +0.0 % are left, "
                      "+1.0 % by"),
            HasSubstr("input rounding     -    0.0 %       -          -\n"),
            HasSubstr("stage 1         5e-3  100.0 %    4e-3       3e-3\n")));
}

TEST(BudgetText, NamesTwoSourcesWhereNoneMakesMost) {
  errors::Budget budget = made_up_budget();
  budget.sources[0].alone = 3.1e-3;
  EXPECT_THAT(verdict_of(budget),
              AllOf(HasSubstr("No source makes most of the error"),
                    HasSubstr("tables (38.4 % of its square)"), HasSubstr("additions (36.0 %)")));
  budget.sources.clear();
  EXPECT_THAT(verdict_of(budget), HasSubstr("exact"));
}

}  // namespace
}  // namespace fftprec::text

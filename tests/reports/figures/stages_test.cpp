/// One case stage by stage: the lines of its errors and the bars of its sources.
#include "reports/figures/stages.hpp"

#include <gmock/gmock.h>

#include "tests/support/fragments.hpp"
#include "tests/support/made_up_budget.hpp"

namespace fftprec::figures {
namespace {

using testing::holds;
using testing::made_up_budget;

TEST(BudgetFigure, StacksTheSharesOfEachBar) {
  const Figure figure = budget_figure("budget", "a case", made_up_budget());

  EXPECT_EQ(figure.name, "budget");
  ASSERT_EQ(figure.panels.size(), 2u);
  const std::vector<Layer>& whole = figure.panels[0].layers;
  ASSERT_EQ(whole.size(), 3u) << "two sources, and what is left";
  EXPECT_EQ(whole[0].tip, "tables");
  EXPECT_EQ(whole[0].colour, "c1");
  EXPECT_NEAR(whole[0].spots.at(0).x2, 64, 1e-9);
  EXPECT_NEAR(whole[1].spots.at(0).x, 64, 1e-9);
  EXPECT_NEAR(whole[1].spots.at(0).x2, 100, 1e-9);
  const Panel& stages = figure.panels[1];
  EXPECT_EQ(stages.y.ticks.at(1).label.text, "stage 1");
  ASSERT_EQ(stages.layers.at(0).spots.size(), 1u) << "a stage without a share has no bar";
  EXPECT_NEAR(stages.layers[0].spots[0].x2, 64, 1e-9);
  EXPECT_THAT(stages.layers[0].spots[0].tip, holds("stage 1: tables, 64 %\na case"));
  EXPECT_EQ(figure.legend.at(1).name, "additions");
  EXPECT_TRUE(whole.back().spots.empty()) << "nothing is left of the whole";
  EXPECT_EQ(figure.legend.back().name, "correlated remainder");
}

TEST(StagesFigure, PutsEachStageOnALineAndExactOnesOnTheFloor) {
  const attribution::StageErrors errors{
      .stages = {{"input rounding", 1e-16, 1e-16, 0, std::nullopt},
                 {"butterflies, stage 1", 1e-3, 2e-3, 1e-3, 2e-3}},
      .floor_l2_rel = 1e-16};

  const Figure figure = stages_figure("f", "it's one case", errors);

  const Panel& panel = figure.panels.at(0);
  EXPECT_EQ(panel.y.ticks.at(1).label.text, "butterflies, stage 1");
  EXPECT_GT(panel.y.share(0), panel.y.share(1)) << "the first stage on top";
  ASSERT_EQ(panel.layers.size(), 3u);
  EXPECT_EQ(panel.layers[0].part, "after");
  EXPECT_EQ(panel.layers[0].spots.at(0).x, 0) << "no more than the floor: exact";
  EXPECT_EQ(panel.layers[0].spots.at(1).x, 1e-3);
  EXPECT_EQ(panel.layers[1].part, "added");
  EXPECT_EQ(panel.layers[2].part, "expected");
  ASSERT_EQ(panel.layers[2].spots.size(), 1u);
  EXPECT_EQ(panel.layers[2].spots[0].x, 2e-3);
  EXPECT_EQ(panel.x.ticks.back().label.text, "exact");
  EXPECT_THAT(panel.layers[0].spots[1].tip,
              holds("butterflies, stage 1\nit's one case\nerror after the stage 1e-3"));
}

}  // namespace
}  // namespace fftprec::figures

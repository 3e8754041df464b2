/// The share of seeds at every error is counted again from the rows that were reduced.
#include "reports/figures/tail.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/seed_reduction.hpp"
#include "experiments/support/decimal.hpp"
#include "reports/figures/kinds.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::figures {
namespace {

using ::testing::ElementsAre;
using testing::error_text;
using testing::holds;
using ::testing::IsEmpty;

constexpr std::uint64_t tail_seeds = 40;

std::vector<Row> rows_in_mode(const std::string& mode) {
  std::vector<Row> rows;
  for (std::uint64_t seed = 1; seed <= tail_seeds; ++seed)
    rows.push_back(evaluate({.mode = mode, .n = 16, .seed = seed}));
  return rows;
}

Row reduced_row(const std::vector<Row>& rows) {
  SeedReduction reduction(default_summarised_metrics());
  for (const Row& row : rows) reduction.add(row);
  return reduction.row();
}

std::vector<Figure> tails_of(const std::vector<Row>& rows, FigureRequest request = {}) {
  request.kind = "tail";
  return draw_all(rows, {&request, 1}, {});
}

const Layer& part_of_panel(const Panel& panel, const std::string& part) {
  return *std::ranges::find(panel.layers, part, &Layer::part);
}

TEST(TailFigure, ShowsHowManySeedsHaveAnErrorOrMore) {
  const std::vector<Row> rows = rows_in_mode("bf16");
  const double expected = rows.front().expected_l2_rel.value();

  const std::vector<Figure> figures = tails_of({reduced_row(rows)});

  ASSERT_EQ(figures.size(), 1u);
  ASSERT_EQ(figures[0].panels.size(), 1u);
  const Layer& tail = part_of_panel(figures[0].panels[0], "tail");
  ASSERT_GT(tail.spots.size(), 5u);
  for (const Spot& spot : tail.spots) {
    const auto count = std::ranges::count_if(rows, [&](const Row& row) {
      return row.err_l2_rel.value() >= spot.x * expected * (1 - 1e-12);
    });
    EXPECT_DOUBLE_EQ(spot.y * tail_seeds, static_cast<double>(count)) << spot.x;
  }
  EXPECT_EQ(tail.spots.front().y, 1);
  EXPECT_EQ(tail.spots.back().y, 1.0 / tail_seeds);
}

TEST(TailFigure, HasTheNormalLawOfTheSameMeanAndDeviation) {
  const std::vector<Row> rows = rows_in_mode("fp32");
  double sum = 0, squares = 0;
  for (const Row& row : rows) sum += row.err_l2_rel.value();
  const double mean = sum / tail_seeds;
  for (const Row& row : rows) squares += std::pow(row.err_l2_rel.value() - mean, 2);
  const double deviation = std::sqrt(squares / (tail_seeds - 1));
  const double unit = rows.front().expected_l2_rel.value();

  const std::vector<Figure> figures = tails_of({reduced_row(rows)});

  const Layer& normal = part_of_panel(figures.at(0).panels.at(0), "normal");
  ASSERT_GT(normal.spots.size(), 50u);
  for (const Spot& spot : normal.spots)
    EXPECT_NEAR(spot.y, 0.5 * std::erfc((spot.x * unit - mean) / deviation / std::numbers::sqrt2),
                1e-6);
}

TEST(TailFigure, HasAPanelForEachModeWithOtherWorstSeeds) {
  const std::vector<Row> rows = {reduced_row(rows_in_mode("bf16")),
                                 reduced_row(rows_in_mode("fp32"))};

  const std::vector<Figure> figures = tails_of(rows);

  std::vector<std::string> names;
  for (const Panel& panel : figures.at(0).panels) names.push_back(panel.title);
  EXPECT_THAT(names, ElementsAre("bf16", "fp32"));
}

TEST(TailFigure, NamesTheBoundsBeyondAPanelInItsUnits) {
  const Row row = reduced_row(rows_in_mode("bf16"));

  const Panel panel = tails_of({row}).at(0).panels.at(0);

  const double expected = row.expected_l2_rel.value();
  EXPECT_THAT(
      panel.below,
      ElementsAre("bound for 1e-6: " + short_number(row.bound_prob_l2_rel.value() / expected),
                  "worst case: " + short_number(row.bound_l2_rel.value() / expected)));
}

TEST(TailFigure, DrawsOtherErrorsInUnitsOfTheirMedian) {
  const Panel panel =
      tails_of({reduced_row(rows_in_mode("bf16"))}, {.y = "err_max_ulp"}).at(0).panels.at(0);

  EXPECT_EQ(panel.x.label, "err_max_ulp / its median");
  EXPECT_THAT(panel.below, IsEmpty());
}

TEST(TailFigure, OfRowsWithoutStatisticsIsNone) {
  EXPECT_THAT(tails_of(rows_in_mode("bf16")), IsEmpty());
}

TEST(TailFigure, RefusesAnXAndWhatIsNoError) {
  EXPECT_THAT(error_text([] { tails_of({}, {.x = "n"}); }), holds("kind tail takes no x"));
  EXPECT_THAT(error_text([] { tails_of({}, {.y = "bits_l2"}); }),
              holds("kind tail draws errors; bits_l2 is none"));
}

}  // namespace
}  // namespace fftprec::figures

/// Error against cost: who is on the front, and what the script draws.
#include "reports/plots/plot_cost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/many_rows.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Row costing(const MadeUp& what, std::uint64_t passes) {
  Row row = made_up(what);
  row.matmul_passes = passes;
  return row;
}

std::vector<std::string> front_of(const CostFigure& figure) {
  std::vector<std::string> names;
  for (const CostPoint& point : figure.points)
    if (point.on_front) names.push_back(point.algorithm + " " + point.mode);
  return names;
}

TEST(GatherCosts, PutsOnTheFrontWhatNothingBeatsInBoth) {
  const std::vector<Row> rows = {
      costing({.algorithm = "a", .error = 1e-3}, 4), costing({.algorithm = "b", .error = 1e-5}, 8),
      costing({.algorithm = "c", .error = 1e-4}, 9), costing({.algorithm = "d", .error = 1e-3}, 5),
      costing({.algorithm = "e", .error = 0}, 16)};

  EXPECT_THAT(front_of(gather_costs(rows, "matmul_passes", 64)),
              ElementsAre("a fast", "b fast", "e fast"));
}

TEST(GatherCosts, LeavesWhatCostsNothingOutsideTheFront) {
  const std::vector<Row> rows = {costing({.algorithm = "vector", .error = 1e-9}, 0),
                                 costing({.algorithm = "gemm", .error = 1e-3}, 4)};

  EXPECT_THAT(front_of(gather_costs(rows, "matmul_passes", 64)), ElementsAre("gemm fast"));
}

TEST(GatherCosts, TakesMediansOverSeedsAndDropsWhatIsNotFinite) {
  const std::vector<Row> rows = {
      costing({.seed = 1, .error = 1}, 4), costing({.seed = 2, .error = 3}, 4),
      costing({.seed = 3, .error = 2}, 4), costing({.n = 128, .error = 50}, 4),
      costing({.mode = "bf16", .error = std::numeric_limits<double>::quiet_NaN()}, 1)};

  const CostFigure figure = gather_costs(rows, "matmul_passes", 64);

  ASSERT_EQ(figure.points.size(), 1u);
  EXPECT_EQ(figure.not_drawn, 1u);
}

TEST(GatherCosts, AgreesWithTheDefinitionOfAFront) {
  const CostFigure figure =
      gather_costs(testing::many_rows(testing::many_rows_grid), "mac_count", 64);

  ASSERT_GT(figure.points.size(), 50u);
  for (const CostPoint& point : figure.points) {
    bool beaten = false;
    bool beaten_in_mode = false;
    for (const CostPoint& other : figure.points) {
      const bool beats = other.cost <= point.cost && other.error <= point.error &&
                         (other.cost < point.cost || other.error < point.error);
      beaten = beaten || beats;
      beaten_in_mode = beaten_in_mode || (beats && other.mode == point.mode);
    }
    EXPECT_EQ(point.on_front, !beaten) << point.algorithm << " " << point.mode;
    EXPECT_EQ(point.on_mode_front, !beaten_in_mode) << point.algorithm << " " << point.mode;
  }
}

TEST(CostDrawing, NumbersTheFrontAndGivesZerosALine) {
  const std::vector<Row> rows = {costing({.algorithm = "a'b", .error = 1e-3}, 4),
                                 costing({.algorithm = "b", .mode = "bf16", .error = 0}, 8),
                                 costing({.algorithm = "c", .error = 1e-2}, 0)};

  const Drawing drawing =
      cost_drawing("cost-0", gather_costs(rows, "matmul_passes", 64), {460, 360});

  EXPECT_THAT(drawing.script, HasSubstr("'none' "));
  EXPECT_THAT(drawing.script, HasSubstr("'exact' "));
  EXPECT_THAT(drawing.script, HasSubstr("set label '1' at first 4, first 0.001 "));
  EXPECT_THAT(drawing.script, HasSubstr("set label '2' at first 8, first "));
  EXPECT_THAT(drawing.script, HasSubstr("title '0 all'"));
  EXPECT_THAT(drawing.data, HasSubstr("\n4 0.001 a'b\n"));
  EXPECT_THAT(drawing.script, HasSubstr("'tensor-engine passes'"));
}

TEST(MeasuredLengths, AreThoseWithAnError) {
  const std::vector<Row> rows = {made_up({.n = 128}), made_up({.n = 64}),
                                 skipped_row({.n = 12}, "no")};
  EXPECT_THAT(measured_lengths(rows), ElementsAre(64u, 128u));
}

}  // namespace
}  // namespace fftprec

/// Error against cost: who is on the front, and what the script draws.
#include "reports/figures/cost.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/many_rows.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::figures {
namespace {

using ::testing::ElementsAre;
using testing::holds;

Row costing(const MadeUp& what, std::uint64_t passes) {
  Row row = made_up(what);
  row.matmul_passes = passes;
  return row;
}

std::vector<std::string> front_of(const Costs& figure) {
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
              ElementsAre("a fp32", "b fp32", "e fp32"));
}

TEST(GatherCosts, LeavesWhatCostsNothingOutsideTheFront) {
  const std::vector<Row> rows = {costing({.algorithm = "vector", .error = 1e-9}, 0),
                                 costing({.algorithm = "gemm", .error = 1e-3}, 4)};

  EXPECT_THAT(front_of(gather_costs(rows, "matmul_passes", 64)), ElementsAre("gemm fp32"));
}

TEST(GatherCosts, DrawsNoMedianOfWhatIsLeftBesideANan) {
  const std::vector<Row> rows = {
      costing({.seed = 1, .error = 1}, 4),
      costing({.seed = 2, .error = std::numeric_limits<double>::quiet_NaN()}, 4),
      costing({.mode = "bf16", .seed = 1}, 4), costing({.mode = "bf16", .seed = 2}, 4)};

  const Costs figure = gather_costs(rows, "matmul_passes", 64);

  ASSERT_EQ(figure.points.size(), 1u);
  EXPECT_EQ(figure.points[0].mode, "bf16");
  EXPECT_EQ(figure.not_drawn, 2u);
}

TEST(GatherCosts, AgreesWithTheDefinitionOfAFront) {
  const Costs figure =
      gather_costs(testing::many_rows(testing::many_rows_grid), "real_multiplications", 64);

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

const Layer& layer_of(const Panel& panel, const std::string& part, std::size_t style = 0) {
  for (const Layer& layer : panel.layers)
    if (layer.part == part && layer.style == style) return layer;
  throw std::out_of_range(part);
}

std::vector<std::string> numbers_of(const Panel& panel) {
  std::vector<std::string> numbers;
  for (const Spot& spot : layer_of(panel, "number").spots) numbers.push_back(spot.text);
  return numbers;
}

TEST(CostFigure, NumbersTheFrontAndGivesZerosALine) {
  const std::vector<Row> rows = {costing({.algorithm = "a'b", .error = 1e-3}, 4),
                                 costing({.algorithm = "b", .mode = "bf16", .error = 0}, 8),
                                 costing({.algorithm = "c", .error = 1e-2}, 0)};
  const Costs costs = gather_costs(rows, "matmul_passes", 64);

  const Figure figure = cost_figure("cost-0", "C", {&costs, 1});

  const Panel& panel = figure.panels.at(0);
  EXPECT_EQ(panel.title, "n = 64");
  EXPECT_EQ(panel.x.ticks.back().label.text, "none");
  EXPECT_EQ(panel.y.ticks.back().label.text, "exact");
  EXPECT_EQ(panel.x.label, "tensor-engine passes");
  EXPECT_THAT(numbers_of(panel), ElementsAre("1", "2"));
  EXPECT_EQ(layer_of(panel, "number").spots[0].x, 4);
  EXPECT_EQ(layer_of(panel, "number").spots[0].y, 1e-3);
  EXPECT_EQ(layer_of(panel, "all").spots.size(), 2u);
  EXPECT_THAT(panel.below, ElementsAre("1 a'b, fp32: 1e-3", "2 b, bf16: exact"));
}

TEST(CostFigure, TellsOfEveryMarkWhatItIs) {
  const std::vector<Row> rows = {
      costing({.algorithm = "a", .mode = "bf16", .error = 1e-3, .bound = 0.5}, 4),
      costing({.algorithm = "a", .mode = "bf16", .seed = 2, .error = 1e-3, .bound = 0.25}, 4)};
  const Costs costs = gather_costs(rows, "matmul_passes", 64);
  const std::string tip =
      layer_of(cost_figure("c", "C", {&costs, 1}).panels[0], "median").spots.at(0).tip;
  for (const char* part : {"algorithm a", "mode bf16", "machine trn", "n 64", "err_l2_rel 1e-3",
                           "matmul_passes 4", "2 rows", "bound 0.5"})
    EXPECT_THAT(tip, holds(part));
}

TEST(GatherCosts, TakesAnyErrorAndRefusesTheBits) {
  Row row = costing({}, 4);
  row.err_linf_rel = 0.25;

  EXPECT_EQ(gather_costs({&row, 1}, "matmul_passes", 64, {}, "err_linf_rel").points.at(0).error,
            0.25);
  for (const char* other : {"bits_l2", "snr_db", "gain"})
    EXPECT_THROW(gather_costs({&row, 1}, "matmul_passes", 64, {}, other), InputError);
  EXPECT_THROW(gather_costs({&row, 1}, "passes", 64), InputError);
}

TEST(GatherComparableCosts, AreOfLengthsThatCompareAndLookTheSame) {
  std::vector<Row> rows;
  for (const std::uint64_t n : {8u, 16u, 32u, 64u})
    for (const char* mode : {"a", "b", "c"})
      if (n == 64 || mode[0] != 'a') rows.push_back(costing({.mode = mode, .n = n}, n));
  rows.push_back(costing({.n = 128}, 4));

  const auto figures = gather_comparable_costs(rows, "matmul_passes", 2);

  ASSERT_EQ(figures.size(), 2u) << "128 has one point, and two of the others are shown";
  EXPECT_EQ(figures[0].n, 16u);
  EXPECT_EQ(figures[1].n, 64u);
  const auto style_of = [](const Costs& figure, const std::string& mode) {
    for (const Series& each : figure.modes)
      if (each.name == mode) return each.style;
    return std::size_t{99};
  };
  EXPECT_EQ(style_of(figures[0], "b"), style_of(figures[1], "b"));
  EXPECT_EQ(style_of(figures[0], "c"), style_of(figures[1], "c"));
  EXPECT_EQ(style_of(figures[1], "a"), 2u) << "in the order in which they come";
}

TEST(CostFigure, HasAPanelPerLengthAndTheColoursOfItsModes) {
  std::vector<Row> rows;
  for (const std::uint64_t n : {8u, 16u})
    for (const char* mode : {"a", "b"}) rows.push_back(costing({.mode = mode, .n = n}, n));

  const Figure figure = cost_figure("c", "C", gather_comparable_costs(rows, "matmul_passes", 6));

  ASSERT_EQ(figure.panels.size(), 2u);
  for (const Panel& panel : figure.panels)
    for (const std::size_t style : {0u, 1u}) {
      EXPECT_EQ(layer_of(panel, "median", style).colour, series_class(style));
      EXPECT_EQ(layer_of(panel, "median", style).mark, series_mark(style));
      EXPECT_EQ(layer_of(panel, "front", style).colour, series_class(style));
    }
  EXPECT_EQ(figure.panels[0].x.low, figure.panels[1].x.low) << "the same axes";
  EXPECT_EQ(figure.panels[0].below.at(0), "1 radix2-dit, a: 1e-7");
  ASSERT_EQ(figure.legend.size(), 4u);
  EXPECT_EQ(figure.legend[1].name, "b");
  EXPECT_EQ(figure.legend[2].name, "Pareto front");
}

TEST(GatherCosts, CountsWhatHasAnErrorButNotThisCost) {
  std::vector<Row> rows = {made_up({.algorithm = "dft-gemm"}),
                           made_up({.algorithm = "dft-gemm", .mode = "bf16"}),
                           made_up({.mode = "fp64"}), made_up({.mode = "fp64", .seed = 2}),
                           made_up({.mode = "fp64", .n = 128})};
  rows.push_back(rows[2]);
  rows.back().where.set(&Case::machine, "ieee");
  rows.push_back(made_up({.seed = 2}));
  rows.push_back(made_up({.algorithm = "dft-gemm", .mode = "bf16", .seed = 2}));

  const Costs figure = gather_costs(rows, published_us, 64);

  EXPECT_EQ(figure.points.size(), 3u);
  EXPECT_EQ(figure.without_cost, 2u) << "not that at another length, nor on a machine not shown";
  EXPECT_EQ(left_out({&figure, 1}), "2 rows without published_us, not drawn");
  EXPECT_THAT(cost_figure("f", "T", {&figure, 1}).subtitle,
              holds("; 2 rows without published_us, not drawn; numbered"));
  const Costs none = gather_costs({&rows[2], 1}, published_us, 64);
  EXPECT_TRUE(none.points.empty());
  EXPECT_EQ(none.without_cost, 1u);
}

TEST(CostAxes, EndWhereCostsDoAndShowTwoPowersOfTen) {
  const auto axis_of = [](std::vector<std::uint64_t> passes) {
    std::vector<Row> rows;
    for (const std::uint64_t each : passes)
      rows.push_back(costing({.algorithm = std::to_string(each)}, each));
    const Costs figure = gather_costs(rows, "matmul_passes", 64);
    std::vector<double> all;
    for (const CostPoint& point : figure.points) all.push_back(point.cost);
    return cost_axis(all, "passes");
  };
  const auto labels_of = [](const Axis& axis) {
    std::vector<std::string> labels;
    for (const Tick& tick : axis.ticks)
      if (!tick.label.text.empty()) labels.push_back(tick.label.text + tick.label.superscript);
    return labels;
  };

  const Axis wide = axis_of({800, 16000});
  EXPECT_NEAR(wide.low, 200, 1);
  EXPECT_NEAR(wide.high, 50000, 100);
  EXPECT_THAT(labels_of(wide), ElementsAre("103", "104"));
  EXPECT_THAT(labels_of(axis_of({8000})), ElementsAre("103", "104", "105"));
  const Axis zeros = axis_of({0, 800, 16000});
  EXPECT_LT(zeros.low, zeros.zero);
  EXPECT_LT(zeros.zero, 200);
  EXPECT_THAT(labels_of(zeros), ElementsAre("103", "104", "none"));
}

TEST(FrontLabels, ShareANumberWherePointsNearlyCoincide) {
  const std::vector<Row> rows = {costing({.algorithm = "a", .error = 1e-3}, 100),
                                 costing({.algorithm = "b", .error = 1e-7}, 1000),
                                 costing({.algorithm = "c", .error = 0.99e-7}, 1010),
                                 costing({.algorithm = "d", .error = 0.98e-7}, 1020),
                                 costing({.algorithm = "e", .error = 0.97e-7}, 9000)};
  const Costs figure = gather_costs(rows, "matmul_passes", 64);

  EXPECT_THAT(numbers_of(cost_figure("c", "C", {&figure, 1}).panels[0]),
              ElementsAre("1", "2-4", "5"));
}

TEST(MeasuredLengths, AreThoseWithAnError) {
  const std::vector<Row> rows = {made_up({.n = 128}), made_up({.n = 64}),
                                 skipped_row({.n = 12}, "no")};
  EXPECT_THAT(measured_lengths(rows), ElementsAre(64u, 128u));
}

}  // namespace
}  // namespace fftprec::figures

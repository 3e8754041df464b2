/// Error against cost: who is on the front, and what the script draws.
#include "reports/plots/plot_cost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "arith/support/error.hpp"
#include "experiments/rows/columns.hpp"
#include "reports/plots/plot_cost_figure.hpp"
#include "reports/plots/plot_cost_panel.hpp"
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

TEST(GatherCosts, TakesAnyErrorAndRefusesTheBits) {
  Row row = costing({}, 4);
  row.err_linf_rel = 0.25;

  EXPECT_EQ(gather_costs({&row, 1}, "matmul_passes", 64, {}, "err_linf_rel").points.at(0).error,
            0.25);
  EXPECT_THROW(gather_costs({&row, 1}, "matmul_passes", 64, {}, "bits_l2"), InputError);
  EXPECT_THROW(gather_costs({&row, 1}, "passes", 64), InputError);
}

TEST(GatherCostFigures, AreOfLengthsThatCompareAndLookTheSame) {
  std::vector<Row> rows;
  for (const std::uint64_t n : {8u, 16u, 32u, 64u})
    for (const char* mode : {"a", "b", "c"})
      if (n == 64 || mode[0] != 'a') rows.push_back(costing({.mode = mode, .n = n}, n));
  rows.push_back(costing({.n = 128}, 4));

  const auto figures = gather_cost_figures(rows, "matmul_passes", 2);

  ASSERT_EQ(figures.size(), 2u) << "128 has one point, and two of the others are shown";
  EXPECT_EQ(figures[0].n, 16u);
  EXPECT_EQ(figures[1].n, 64u);
  const auto style_of = [](const CostFigure& figure, const std::string& mode) {
    for (const Series& each : figure.modes)
      if (each.name == mode) return each.style;
    return std::size_t{99};
  };
  EXPECT_EQ(style_of(figures[0], "b"), style_of(figures[1], "b"));
  EXPECT_EQ(style_of(figures[0], "c"), style_of(figures[1], "c"));
  EXPECT_EQ(style_of(figures[1], "a"), 2u) << "in the order in which they come";
}

/// Mode and part of every block of a data file: "mode=b, points".
std::vector<std::string> blocks_of(const std::string& data) {
  std::vector<std::string> blocks;
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t end = data.find("\n\n\n", at);
    const std::string block = data.substr(at, end - at);
    const std::size_t comment = block.rfind("# ");
    blocks.push_back(block.substr(comment + 2, block.find('\n', comment) - comment - 2));
    at = end == std::string::npos ? end : end + 3;
  }
  return blocks;
}

TEST(CostsDrawing, ReadsEveryBlockInTheColourOfItsMode) {
  std::vector<Row> rows;
  for (const std::uint64_t n : {8u, 16u})
    for (const char* mode : {"a", "b"}) rows.push_back(costing({.mode = mode, .n = n}, n));

  const Drawing drawing = costs_drawing("c", "C", gather_cost_figures(rows, "matmul_passes", 6));

  EXPECT_THAT(
      blocks_of(drawing.data),
      ElementsAre("n = 8", "mode=a, front", "mode=a, points", "mode=b, front", "mode=b, points",
                  "n = 16", "mode=a, front", "mode=a, points", "mode=b, front", "mode=b, points"));
  for (const char* curve :
       {"index 0 using 1:2 with steps lw 2.2", "index 1 using 1:2 with steps lw 1 lc '#0072B2'",
        "index 2 using 1:2 with points pt 7 ps 0.8 lc '#0072B2'",
        "index 4 using 1:2 with points pt 6 ps 0.8 lc '#56B4E9'",
        "index 5 using 1:2 with steps lw 2.2",
        "index 9 using 1:2 with points pt 6 ps 0.8 lc '#56B4E9'"})
    EXPECT_THAT(drawing.script, HasSubstr(curve));
  EXPECT_THAT(drawing.script, HasSubstr("'1 radix2-dit, a: 1.00e-07'"));
}

TEST(GatherCosts, CountsWhatHasAnErrorButNotThisCost) {
  std::vector<Row> rows = {made_up({.algorithm = "dft-gemm"}),
                           made_up({.algorithm = "dft-gemm", .mode = "bf16"}),
                           made_up({.mode = "double"}), made_up({.mode = "double", .seed = 2}),
                           made_up({.mode = "double", .n = 128})};
  rows.push_back(rows[2]);
  rows.back().where.machine = "ieee";
  rows.push_back(made_up({.seed = 2}));
  rows.push_back(made_up({.algorithm = "dft-gemm", .mode = "bf16", .seed = 2}));

  const CostFigure figure = gather_costs(rows, published_us, 64);

  EXPECT_EQ(figure.points.size(), 3u);
  EXPECT_EQ(figure.without_cost, 2u) << "not that at another length, nor on a machine not shown";
  EXPECT_EQ(left_out({&figure, 1}), "2 rows without published_us, not drawn");
  EXPECT_THAT(cost_texts("f", "T", {&figure, 1}).subtitle,
              HasSubstr("; 2 rows without published_us, not drawn; numbered"));
  const CostFigure none = gather_costs({&rows[2], 1}, published_us, 64);
  EXPECT_TRUE(none.points.empty());
  EXPECT_EQ(none.without_cost, 1u);
}

TEST(CostAxes, EndWhereCostsDoAndShowTwoPowersOfTen) {
  const auto axis_of = [](std::vector<std::uint64_t> passes) {
    std::vector<Row> rows;
    for (const std::uint64_t each : passes)
      rows.push_back(costing({.algorithm = std::to_string(each)}, each));
    const CostFigure figure = gather_costs(rows, "matmul_passes", 64);
    return cost_axes({&figure, 1}, 6).cost;
  };
  const auto labels_of = [](const Decades& axis) {
    std::vector<std::string> labels;
    for (const Tic& tic : axis.tics)
      if (!tic.label.empty()) labels.push_back(tic.label);
    return labels;
  };

  const Decades wide = axis_of({800, 16000});
  EXPECT_NEAR(wide.low, 200, 1);
  EXPECT_NEAR(wide.high, 50000, 100);
  EXPECT_THAT(labels_of(wide), ElementsAre("10^{3}", "10^{4}"));
  EXPECT_THAT(labels_of(axis_of({8000})), ElementsAre("10^{3}", "10^{4}", "10^{5}"));
  const Decades zeros = axis_of({0, 800, 16000});
  EXPECT_LT(zeros.low, zeros.zero);
  EXPECT_LT(zeros.zero, 200);
  EXPECT_THAT(labels_of(zeros), ElementsAre("10^{3}", "10^{4}", "none"));
}

TEST(FrontLabels, ShareANumberWherePointsNearlyCoincide) {
  const std::vector<Row> rows = {costing({.algorithm = "a", .error = 1e-3}, 100),
                                 costing({.algorithm = "b", .error = 1e-7}, 1000),
                                 costing({.algorithm = "c", .error = 0.99e-7}, 1010),
                                 costing({.algorithm = "d", .error = 0.98e-7}, 1020),
                                 costing({.algorithm = "e", .error = 0.97e-7}, 9000)};
  const CostFigure figure = gather_costs(rows, "matmul_passes", 64);

  std::vector<std::string> texts;
  for (const FrontLabel& label : front_labels(figure, cost_axes({&figure, 1}, 6)))
    texts.push_back(figure.points[label.point].algorithm + " " + label.text);

  EXPECT_THAT(texts, ElementsAre("a 1", "b 2-4", "e 5"));
}

TEST(MeasuredLengths, AreThoseWithAnError) {
  const std::vector<Row> rows = {made_up({.n = 128}), made_up({.n = 64}),
                                 skipped_row({.n = 12}, "no")};
  EXPECT_THAT(measured_lengths(rows), ElementsAre(64u, 128u));
}

}  // namespace
}  // namespace fftprec

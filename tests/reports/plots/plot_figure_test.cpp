/// Rows gathered into panels, series and points.
#include "reports/plots/plot_figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "arith/support/error.hpp"
#include "reports/plots/plot_defaults.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const FigureRequest by_mode = {.name = "f", .title = "F"};

std::vector<std::string> names_of(const std::vector<Series>& series) {
  std::vector<std::string> names;
  for (const Series& each : series) names.push_back(each.name);
  return names;
}

Row on_machine(const std::string& machine, const MadeUp& what) {
  Row row = made_up(what);
  row.where.machine = machine;
  return row;
}

TEST(Gather, MakesOnePanelPerAlgorithmAndOneSeriesPerMode) {
  const std::vector<Row> rows = {made_up({.algorithm = "radix2-dit", .mode = "fast"}),
                                 made_up({.algorithm = "dft-gemm", .mode = "fast"}),
                                 made_up({.algorithm = "dft-gemm", .mode = "bf16"})};

  const Figure figure = gather(rows, by_mode);

  ASSERT_EQ(figure.panels.size(), 2u);
  EXPECT_EQ(figure.panels[0].name, "dft-gemm");
  EXPECT_THAT(names_of(figure.panels[0].series), ElementsAre("bf16", "fast"));
  EXPECT_THAT(names_of(figure.panels[1].series), ElementsAre("fast"));
  EXPECT_THAT(names_of(figure.legend), ElementsAre("bf16", "fast"));
}

TEST(Gather, OrdersSeriesAsListedAndGivesEachNameItsStyle) {
  const NameOrders orders = {{"mode", {"fast", "kahan", "bf16"}}};
  const std::vector<Row> rows = {made_up({.mode = "bf16"}), made_up({.mode = "fast"}),
                                 made_up({.mode = "new"})};

  const Figure figure = gather(rows, by_mode, orders);

  EXPECT_THAT(names_of(figure.legend), ElementsAre("fast", "bf16", "new"));
  EXPECT_EQ(figure.legend[0].style, 0u);
  EXPECT_EQ(figure.legend[1].style, 2u) << "kahan keeps its style though it is absent";
  EXPECT_EQ(figure.legend[2].style, 1u) << "what is not listed takes what is free";
}

TEST(Gather, TakesMedianAndRangeOverSeedsAndInputs) {
  const std::vector<Row> rows = {made_up({.seed = 1, .error = 4}), made_up({.seed = 2, .error = 1}),
                                 made_up({.input = "tone", .error = 2})};

  const Point point = gather(rows, by_mode).panels.at(0).series.at(0).points.at(0);

  EXPECT_EQ(point.x, 64);
  EXPECT_EQ(point.median, 2);
  EXPECT_EQ(point.low, 1);
  EXPECT_EQ(point.high, 4);
  EXPECT_EQ(point.count, 3u);
}

TEST(Gather, CountsZerosAndKeepsThemOutOfTheRange) {
  const std::vector<Row> rows = {made_up({.seed = 1, .error = 0}), made_up({.seed = 2, .error = 3}),
                                 made_up({.seed = 3, .error = 5})};

  const Point point = gather(rows, by_mode).panels.at(0).series.at(0).points.at(0);

  EXPECT_EQ(point.zeros, 1u);
  EXPECT_EQ(point.median, 3);
  EXPECT_EQ(point.low, 3);
}

TEST(Gather, KeepsTheLargestBoundAndTheMedianOfTheExpectedValues) {
  std::vector<Row> rows;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    rows.push_back(made_up({.seed = seed, .bound = static_cast<double>(seed)}));
    rows.back().expected_l2_rel = static_cast<double>(seed * seed);
  }

  const Point point = gather(rows, by_mode).panels.at(0).series.at(0).points.at(0);

  EXPECT_EQ(point.bound, 3.0);
  EXPECT_EQ(point.expected, 4.0);
}

TEST(Gather, GivesNoBoundToAnotherMetric) {
  Row row = made_up({});
  row.err_linf_rel = 1e-7;
  FigureRequest request = by_mode;
  request.y = "err_linf_rel";

  const Point point = gather(std::vector{row}, request).panels.at(0).series.at(0).points.at(0);

  EXPECT_FALSE(point.bound);
}

TEST(Gather, SortsPointsByX) {
  const std::vector<Row> rows = {made_up({.n = 128}), made_up({.n = 64}), made_up({.n = 256})};

  const std::vector<Point> points = gather(rows, by_mode).panels.at(0).series.at(0).points;

  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].x, 64);
  EXPECT_EQ(points[2].x, 256);
}

TEST(Gather, HoldsAnAxisThatItDoesNotShowAtItsDefault) {
  const std::vector<Row> rows = {on_machine("ieee", {.error = 1}), on_machine("trn", {.error = 2}),
                                 on_machine("ieee", {.seed = 2, .error = 1})};

  const Figure figure = gather(rows, by_mode);

  EXPECT_EQ(figure.panels.at(0).series.at(0).points.at(0).count, 1u);
  EXPECT_EQ(figure.panels.at(0).series.at(0).points.at(0).median, 2);
  EXPECT_THAT(figure.held, HasSubstr("machine trn"));
}

TEST(Gather, HoldsAnAxisAtItsCommonestValueIfTheDefaultIsAbsent) {
  const std::vector<Row> rows = {on_machine("a", {}), on_machine("b", {}),
                                 on_machine("b", {.seed = 2})};

  EXPECT_THAT(gather(rows, by_mode).held, HasSubstr("machine b"));
}

TEST(Gather, ComparesSeriesOnTheInputsAndSeedsThatAllOfThemHave) {
  const std::vector<Row> rows = {made_up({.mode = "fast", .input = "tone", .error = 9}),
                                 made_up({.mode = "fast", .seed = 1, .error = 1}),
                                 made_up({.mode = "fast", .seed = 2, .error = 5}),
                                 made_up({.mode = "bf16", .seed = 1, .error = 3})};

  const Figure figure = gather(rows, by_mode);

  const Series& fast = figure.panels.at(0).series.at(1);
  EXPECT_EQ(fast.points.at(0).count, 1u);
  EXPECT_EQ(fast.points.at(0).median, 1);
  EXPECT_EQ(figure.pooled, "");
  EXPECT_THAT(figure.held, HasSubstr("input gaussian"));
}

TEST(Gather, PoolsEverythingIfSeriesHaveNoInputInCommon) {
  const std::vector<Row> rows = {made_up({.mode = "fast", .input = "tone"}),
                                 made_up({.mode = "bf16", .input = "gaussian"})};

  EXPECT_THAT(names_of(gather(rows, by_mode).legend), ElementsAre("bf16", "fast"));
}

TEST(Gather, NeedsNoCommonSeedsToCompareInputs) {
  FigureRequest request = by_mode;
  request.series = "input";
  const std::vector<Row> rows = {made_up({.input = "gaussian", .seed = 1}),
                                 made_up({.input = "gaussian", .seed = 2}),
                                 made_up({.input = "tone", .seed = 1})};

  EXPECT_EQ(gather(rows, request).panels.at(0).series.at(0).points.at(0).count, 2u);
}

TEST(Gather, SaysWhatIsPooled) {
  const std::vector<Row> rows = {made_up({.seed = 1}), made_up({.seed = 2}),
                                 made_up({.input = "tone"})};

  EXPECT_EQ(gather(rows, by_mode).pooled, "2 inputs and 2 seeds");
  EXPECT_EQ(gather(std::vector{made_up({})}, by_mode).pooled, "");
}

TEST(Gather, OrdersSeriesThatAreNumbersBySize) {
  FigureRequest request = by_mode;
  request.series = "n";
  request.x = "batch";
  const std::vector<Row> rows = {made_up({.n = 128}), made_up({.n = 64})};

  EXPECT_THAT(names_of(gather(rows, request).legend), ElementsAre("64", "128"));
}

TEST(Gather, DrawsMeasuredRowsOnlyAndCountsWhatIsNotFinite) {
  const std::vector<Row> rows = {
      made_up({}), skipped_row({.n = 3}, "n is odd"), failed_row({.n = 4}, "broken"),
      made_up({.n = 128, .error = std::numeric_limits<double>::quiet_NaN()}),
      made_up({.n = 256, .error = std::numeric_limits<double>::infinity()})};

  const Figure figure = gather(rows, by_mode);

  EXPECT_EQ(figure.panels.at(0).series.at(0).points.size(), 1u);
  EXPECT_EQ(figure.not_drawn, 2u);
}

TEST(Gather, DividesErrorByBound) {
  FigureRequest request = by_mode;
  request.y = err_over_bound;
  const std::vector<Row> rows = {made_up({.error = 0.5, .bound = 2}),
                                 made_up({.n = 128, .bound = std::nullopt})};

  const std::vector<Point> points = gather(rows, request).panels.at(0).series.at(0).points;

  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].median, 0.25);
}

TEST(Gather, GivesNoPanelWithoutRows) {
  EXPECT_TRUE(gather(std::vector<Row>{}, by_mode).panels.empty());
}

TEST(Gather, RefusesColumnsThatAreUnknownOrHoldNoNumbers) {
  FigureRequest request = by_mode;
  request.y = "err_l2";
  EXPECT_THROW(gather(std::vector<Row>{}, request), InputError);
  request = by_mode;
  request.y = "message";
  EXPECT_THROW(gather(std::vector<Row>{}, request), InputError);
  request = by_mode;
  request.x = "mode";
  EXPECT_THROW(gather(std::vector<Row>{}, request), InputError);
  request = by_mode;
  request.series = "mod";
  EXPECT_THROW(gather(std::vector<Row>{}, request), InputError);
}

std::vector<std::string> names_of(const std::vector<FigureRequest>& requests) {
  std::vector<std::string> names;
  for (const FigureRequest& request : requests) names.push_back(request.name);
  return names;
}

TEST(DefaultFigures, CompareTheAxesThatHaveSeveralValues) {
  const std::vector<Row> rows = {
      on_machine("trn", {.algorithm = "dft-gemm"}), on_machine("ieee", {.algorithm = "dft-gemm"}),
      on_machine("trn", {.input = "tone"}), on_machine("trn", {.input = "gaussian"})};

  EXPECT_THAT(names_of(default_figures(rows)),
              ElementsAre("error_vs_n", "error_over_bound", "error_over_bound_histogram", "",
                          "machine_dft-gemm", "input_radix2-dit"));
}

TEST(DefaultFigures, CompareOnlyModesThatHaveSeveralValues) {
  const std::vector<Row> rows = {on_machine("trn", {.mode = "bf16"}),
                                 on_machine("ieee", {.mode = "bf16"}),
                                 on_machine("trn", {.mode = "fast"})};

  const FigureRequest request = default_figures(rows).at(4);
  const Figure figure = gather(rows, request);

  ASSERT_EQ(figure.panels.size(), 1u);
  EXPECT_EQ(figure.panels[0].name, "bf16");
  EXPECT_THAT(names_of(figure.legend), ElementsAre("ieee", "trn"));
}

TEST(FigureOf, NamesFilesByTheTitle) {
  const FigureRequest request =
      figure_of({.title = "dft-gemm: error / Length", .filter = "mode=bf16"});

  EXPECT_EQ(request.name, "dft-gemm_error_length");
  EXPECT_EQ(request.title, "dft-gemm: error / Length");
  EXPECT_FALSE(selects(request.where, made_up({.mode = "fast"})));
}

}  // namespace
}  // namespace fftprec

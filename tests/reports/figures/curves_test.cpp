/// Rows gathered into panels, series and points.
#include "reports/figures/curves.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "arith/support/error.hpp"
#include "reports/figures/svg.hpp"
#include "tests/support/figure_rows.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/markup.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::figures {
namespace {

using ::testing::ElementsAre;
using testing::holds;
using testing::names_of;
using ::testing::Not;
using testing::on_machine;
using ::testing::ThrowsMessage;

const FigureRequest by_mode = {.name = "f", .title = "F"};

TEST(Gather, MakesOnePanelPerAlgorithmAndOneSeriesPerMode) {
  const std::vector<Row> rows = {made_up({.algorithm = "radix2-dit", .mode = "fp32"}),
                                 made_up({.algorithm = "dft-gemm", .mode = "fp32"}),
                                 made_up({.algorithm = "dft-gemm", .mode = "bf16"})};

  const Curves figure = gather_curves(rows, by_mode);

  ASSERT_EQ(figure.panels.size(), 2u);
  EXPECT_EQ(figure.panels[0].name, "dft-gemm");
  EXPECT_THAT(names_of(figure.panels[0].series), ElementsAre("bf16", "fp32"));
  EXPECT_THAT(names_of(figure.panels[1].series), ElementsAre("fp32"));
  EXPECT_THAT(names_of(figure.legend), ElementsAre("bf16", "fp32"));
}

TEST(Gather, OrdersSeriesAsListedAndGivesEachNameItsStyle) {
  const NameOrders orders = {{"mode", {"fp32", "kahan", "bf16"}}};
  const std::vector<Row> rows = {made_up({.mode = "bf16"}), made_up({.mode = "fp32"}),
                                 made_up({.mode = "new"})};

  const Curves figure = gather_curves(rows, by_mode, orders);

  EXPECT_THAT(names_of(figure.legend), ElementsAre("fp32", "bf16", "new"));
  EXPECT_EQ(figure.legend[0].style, 0u);
  EXPECT_EQ(figure.legend[1].style, 2u) << "kahan keeps its style though it is absent";
  EXPECT_EQ(figure.legend[2].style, 1u) << "what is not listed takes what is free";
}

TEST(Gather, TakesMedianAndRangeOverSeeds) {
  const std::vector<Row> rows = {made_up({.seed = 1, .error = 4}), made_up({.seed = 2, .error = 1}),
                                 made_up({.seed = 3, .error = 2})};

  const Point point = gather_curves(rows, by_mode).panels.at(0).series.at(0).points.at(0);

  EXPECT_EQ(point.x, 64);
  EXPECT_EQ(point.median, 2);
  EXPECT_EQ(point.low, 1);
  EXPECT_EQ(point.high, 4);
  EXPECT_EQ(point.count, 3u);
}

TEST(Gather, CountsZerosAndKeepsThemOutOfTheRange) {
  const std::vector<Row> rows = {made_up({.seed = 1, .error = 0}), made_up({.seed = 2, .error = 3}),
                                 made_up({.seed = 3, .error = 5})};

  const Point point = gather_curves(rows, by_mode).panels.at(0).series.at(0).points.at(0);

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

  const Point point = gather_curves(rows, by_mode).panels.at(0).series.at(0).points.at(0);

  EXPECT_EQ(point.bound, 3.0);
  EXPECT_EQ(point.expected, 4.0);
}

TEST(Gather, GivesNoBoundToAnotherMetric) {
  Row row = made_up({});
  row.err_linf_rel = 1e-7;
  FigureRequest request = by_mode;
  request.y = "err_linf_rel";

  const Point point =
      gather_curves(std::vector{row}, request).panels.at(0).series.at(0).points.at(0);

  EXPECT_FALSE(point.bound);
}

TEST(Gather, SortsPointsByX) {
  const std::vector<Row> rows = {made_up({.n = 128}), made_up({.n = 64}), made_up({.n = 256})};

  const std::vector<Point> points = gather_curves(rows, by_mode).panels.at(0).series.at(0).points;

  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].x, 64);
  EXPECT_EQ(points[2].x, 256);
}

std::vector<Row> scaled(std::initializer_list<const char*> scales) {
  std::vector<Row> rows;
  for (const char* scale : scales) {
    rows.push_back(made_up({.n = 64}));
    rows.back().where.set(&Case::scale, scale);
  }
  return rows;
}

TEST(Gather, DrawsAgainstTheLevelOfTheInputWhatStagesDo) {
  const std::vector<Row> rows =
      scaled({"input:2^-3+stage:1/2", "input:2^-1+stage:1/2", "input:2^-2", "none", "shift:01"});
  FigureRequest request = by_mode;
  request.x = "input_scale";
  request.series = "scale";

  const std::vector<Series> series = gather_curves(rows, request).panels.at(0).series;

  std::map<std::string, std::vector<double>> levels;
  for (const Series& each : series)
    for (const Point& point : each.points) levels[each.name].push_back(point.x);
  EXPECT_EQ(levels, (std::map<std::string, std::vector<double>>{
                        {"stage:1/2", {0.125, 0.5}}, {"none", {0.25, 1}}, {"shift:01", {1}}}));
}

TEST(Gather, DrawsAgainstTheLevelOfTheInputByModeWhereStagesDoTheSame) {
  FigureRequest request = by_mode;
  request.x = "input_scale";

  const Curves plain = gather_curves(scaled({"input:2^-3", "none"}), request);
  const Curves halved =
      gather_curves(scaled({"input:2^-3+stage:1/2", "input:2^-1+stage:1/2"}), request);

  EXPECT_EQ(plain.panels.at(0).series.at(0).points.size(), 2u);
  EXPECT_THAT(plain.held, Not(holds("scale")));
  EXPECT_EQ(halved.panels.at(0).series.at(0).points.size(), 2u);
  EXPECT_THAT(halved.held, holds("scale stage:1/2"));
  EXPECT_THAT(
      [&] {
        gather_curves(scaled({"input:2^-3+stage:1/2", "none"}), request);
      },
      ThrowsMessage<InputError>(holds("input_scale", "stage:1/2, none", "series or panel")));
}

TEST(Gather, HoldsAnAxisThatItDoesNotShowAtItsDefault) {
  const std::vector<Row> rows = {on_machine("ieee", {.error = 1}), on_machine("trn", {.error = 2}),
                                 on_machine("ieee", {.seed = 2, .error = 1})};

  const Curves figure = gather_curves(rows, by_mode);

  EXPECT_EQ(figure.panels.at(0).series.at(0).points.at(0).count, 1u);
  EXPECT_EQ(figure.panels.at(0).series.at(0).points.at(0).median, 2);
  EXPECT_THAT(figure.held, holds("machine trn"));
}

TEST(Gather, HoldsAnAxisAtItsCommonestValueIfTheDefaultIsAbsent) {
  const std::vector<Row> rows = {on_machine("a", {}), on_machine("b", {}),
                                 on_machine("b", {.seed = 2})};

  EXPECT_THAT(gather_curves(rows, by_mode).held, holds("machine b"));
}

TEST(Gather, LeavesAnAxisFreeThatHasItsOwnValueAtEachLength) {
  const std::vector<Row> rows = {made_up({.n = 8, .input = "integers:exponent=100"}),
                                 made_up({.n = 16, .input = "integers:exponent=190"})};

  const Curves figure = gather_curves(rows, by_mode);

  EXPECT_EQ(figure.panels.at(0).series.at(0).points.size(), 2u);
  EXPECT_THAT(figure.held, holds("input by n"));
}

TEST(Gather, ComparesSeriesOnTheInputsAndSeedsThatAllOfThemHave) {
  const std::vector<Row> rows = {made_up({.mode = "fp32", .input = "tone", .error = 9}),
                                 made_up({.mode = "fp32", .seed = 1, .error = 1}),
                                 made_up({.mode = "fp32", .seed = 2, .error = 5}),
                                 made_up({.mode = "bf16", .seed = 1, .error = 3})};

  const Curves figure = gather_curves(rows, by_mode);

  const Series& fast = figure.panels.at(0).series.at(1);
  EXPECT_EQ(fast.points.at(0).count, 1u);
  EXPECT_EQ(fast.points.at(0).median, 1);
  EXPECT_EQ(figure.pooled, "");
  EXPECT_THAT(figure.held, holds("input gaussian"));
}

TEST(Gather, HoldsOneInputIfSeriesHaveNoneInCommon) {
  const std::vector<Row> rows = {made_up({.mode = "fp32", .input = "tone"}),
                                 made_up({.mode = "bf16", .input = "gaussian"})};

  const Curves curves = gather_curves(rows, by_mode);

  EXPECT_THAT(names_of(curves.legend), ElementsAre("bf16"));
  EXPECT_THAT(curves.held, holds("input gaussian"));
}

TEST(Gather, NeedsNoCommonSeedsToCompareInputs) {
  FigureRequest request = by_mode;
  request.series = "input";
  const std::vector<Row> rows = {made_up({.input = "gaussian", .seed = 1}),
                                 made_up({.input = "gaussian", .seed = 2}),
                                 made_up({.input = "tone", .seed = 1})};

  EXPECT_EQ(gather_curves(rows, request).panels.at(0).series.at(0).points.at(0).count, 2u);
}

TEST(Gather, PoolsSeedsButNoInputs) {
  const std::vector<Row> rows = {made_up({.seed = 1, .error = 1}), made_up({.seed = 2, .error = 3}),
                                 made_up({.input = "tone", .error = 100})};

  const Curves curves = gather_curves(rows, by_mode);

  EXPECT_EQ(curves.pooled, "2 seeds");
  EXPECT_THAT(curves.held, holds("input gaussian"));
  EXPECT_EQ(curves.panels.at(0).series.at(0).points.at(0).median, 2);
  EXPECT_THAT(curves.where, holds("input=gaussian\n", "seed=1\nseed=2"));
  EXPECT_EQ(gather_curves(std::vector{made_up({})}, by_mode).pooled, "");
}

TEST(Gather, TakesXFromWhoeverAsks) {
  const std::vector<Row> rows = {made_up({.error = 1}), made_up({.error = 3})};
  FigureRequest request = by_mode;
  request.x = "run";

  const Curves curves = gather_curves(rows, request, {}, [&rows](const Row& row) {
    return std::optional(10.0 + static_cast<double>(&row - rows.data()));
  });

  const std::vector<Point>& points = curves.panels.at(0).series.at(0).points;
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[1].x, 11);
  EXPECT_EQ(points[1].median, 3);
}

TEST(Gather, OrdersSeriesThatAreNumbersBySize) {
  FigureRequest request = by_mode;
  request.series = "n";
  request.x = "batch";
  const std::vector<Row> rows = {made_up({.n = 128}), made_up({.n = 64})};

  EXPECT_THAT(names_of(gather_curves(rows, request).legend), ElementsAre("64", "128"));
}

TEST(Gather, DrawsMeasuredRowsOnlyAndCountsWhatIsNotFinite) {
  const std::vector<Row> rows = {
      made_up({}), skipped_row({.n = 3}, "n is odd"), failed_row({.n = 4}, "broken"),
      made_up({.n = 128, .error = std::numeric_limits<double>::quiet_NaN()}),
      made_up({.n = 256, .error = std::numeric_limits<double>::infinity()})};

  const Curves figure = gather_curves(rows, by_mode);

  const std::vector<Point>& points = figure.panels.at(0).series.at(0).points;
  ASSERT_EQ(points.size(), 3u);
  EXPECT_TRUE(std::isfinite(points[0].median));
  EXPECT_TRUE(std::isnan(points[1].median));
  EXPECT_TRUE(std::isinf(points[2].median));
  EXPECT_EQ(figure.not_finite, 2u);
  EXPECT_EQ(figure.not_drawn, 0u);
}

TEST(Gather, HasNoMedianOfWhatIsLeftBesideANan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Row> rows = {made_up({.seed = 1, .error = 4}), made_up({.seed = 2, .error = 1}),
                                 made_up({.seed = 3, .error = nan})};

  const Point point = gather_curves(rows, by_mode).panels.at(0).series.at(0).points.at(0);

  EXPECT_TRUE(std::isnan(point.median));
  EXPECT_EQ(point.low, 1);
  EXPECT_EQ(point.high, 4);
  EXPECT_EQ(point.not_finite, 1u);
}

TEST(Gather, LeavesOutLevelsOfExactResults) {
  FigureRequest request = by_mode;
  request.y = "bits_l2";
  std::vector<Row> rows = {made_up({}), made_up({.n = 128}), made_up({.n = 256})};
  rows[0].bits_l2 = std::numeric_limits<double>::infinity();
  rows[1].bits_l2 = -std::numeric_limits<double>::infinity();
  rows[2].bits_l2 = 20;

  const Curves curves = gather_curves(rows, request);

  EXPECT_EQ(curves.not_drawn, 1u);
  EXPECT_EQ(curves.not_finite, 1u);
}

TEST(Gather, DividesErrorByBound) {
  FigureRequest request = by_mode;
  request.y = err_over_bound;
  const std::vector<Row> rows = {made_up({.error = 0.5, .bound = 2}),
                                 made_up({.n = 128, .bound = std::nullopt})};

  const std::vector<Point> points = gather_curves(rows, request).panels.at(0).series.at(0).points;

  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].median, 0.25);
}

/// The axis of errors of one mode at the sizes and with the error given.
Figure figure_of_error(double error, const std::vector<std::uint64_t>& sizes = {64, 128}) {
  std::vector<Row> rows;
  for (const std::uint64_t n : sizes)
    rows.push_back(made_up({.n = n, .error = error, .bound = std::nullopt}));
  return curves_figure(gather_curves(rows, by_mode));
}

std::vector<std::string> rules_of(const Axis& axis) {
  std::vector<std::string> names;
  for (const Rule& rule : axis.rules) names.push_back(rule.label.text + rule.label.subscript);
  return names;
}

const Layer& layer_of(const Figure& figure, const std::string& part, std::size_t style = 0) {
  for (const Layer& layer : figure.panels.at(0).layers)
    if (layer.part == part && layer.style == style) return layer;
  throw std::out_of_range(part);
}

TEST(CurvesFigure, BreaksTheLineAndSetsACrossWhereTheMedianIsNotFinite) {
  std::vector<Row> rows;
  for (const std::uint64_t n : {64u, 128u, 256u, 512u})
    rows.push_back(made_up({.n = n,
                            .error = n == 256 ? std::numeric_limits<double>::quiet_NaN() : 1e-7,
                            .bound = std::nullopt}));

  const Figure figure = curves_figure(gather_curves(rows, by_mode));

  const Layer& crosses = layer_of(figure, "failed");
  ASSERT_EQ(crosses.spots.size(), 1u);
  EXPECT_EQ(crosses.colour, "bad");
  EXPECT_EQ(crosses.spots[0].x, 256);
  EXPECT_EQ(crosses.spots[0].y, figure.panels[0].y.high);
  EXPECT_THAT(crosses.spots[0].tip, holds("err_l2_rel nan"));
  EXPECT_EQ(figure.legend.back().name, "not finite");
  const std::string svg = svg_document(figure);
  const std::size_t line = svg.find("<path d=\"M", svg.find("class=\"curve median"));
  const std::string way = svg.substr(line, svg.find(" stroke", line) - line);
  EXPECT_EQ(std::count(way.begin(), way.end(), 'M'), 2) << way;
  EXPECT_EQ(std::count(way.begin(), way.end(), 'L'), 1) << way;
}

TEST(CurvesFigure, OfNothingButNanHasItsCrosses) {
  const Figure figure = figure_of_error(std::numeric_limits<double>::quiet_NaN());

  EXPECT_EQ(layer_of(figure, "failed").spots.size(), 2u);
  EXPECT_EQ(testing::markup_problem(svg_element(figure, 0)), "");
}

TEST(CurvesFigure, MarksTheUnitRoundoffsWithinItsRange) {
  const Axis axis = figure_of_error(3e-8).panels[0].y;
  EXPECT_THAT(rules_of(axis), ElementsAre("ufp32"));
  EXPECT_EQ(axis.rules[0].at, 0x1p-24);
  const Axis coarse = figure_of_error(3e-4).panels[0].y;
  EXPECT_THAT(rules_of(coarse), ElementsAre("ubf16", "ufp16, tf32"));
  EXPECT_EQ(coarse.rules.back().at, 0x1p-11);
}

TEST(CurvesFigure, HasAnExactLineOnlyIfSomethingIsExact) {
  const Axis exact = figure_of_error(0).panels[0].y;
  EXPECT_EQ(exact.ticks.back().label.text, "exact");
  EXPECT_EQ(exact.ticks.back().at, exact.zero);
  EXPECT_GT(exact.zero, exact.low);
  EXPECT_GT(exact.share(0), 0);
  EXPECT_LT(exact.share(0), exact.share(exact.ticks.front().at)) << "below the lowest label";
  EXPECT_EQ(figure_of_error(1e-7).panels[0].y.zero, 0);
}

TEST(CurvesFigure, MarksTheBoundWhereTheErrorIsDividedByIt) {
  FigureRequest request = by_mode;
  request.y = err_over_bound;
  const std::vector<Row> rows = {made_up({.error = 1, .bound = 2}),
                                 made_up({.n = 8, .error = 3, .bound = 2})};
  EXPECT_THAT(rules_of(curves_figure(gather_curves(rows, request)).panels[0].y),
              ElementsAre("bound"));
}

TEST(CurvesFigure, LeavesTheLogarithmAwayForBits) {
  Row row = made_up({});
  row.bits_l2 = 23.5;
  FigureRequest request = by_mode;
  request.y = "bits_l2";

  const Axis axis = curves_figure(gather_curves({&row, 1}, request)).panels[0].y;

  EXPECT_FALSE(axis.logarithmic);
  EXPECT_EQ(axis.low, 0);
  EXPECT_EQ(axis.high, 24);
  EXPECT_EQ(axis.ticks[1].label.text, "4");
}

TEST(CurvesFigure, LeavesTheLogarithmAwayForDecibels) {
  std::vector<Row> rows = {made_up({}), made_up({.n = 8})};
  rows[0].snr_db = 141.3;
  rows[1].snr_db = -3;
  FigureRequest request = by_mode;
  request.y = "snr_db";

  const Axis axis = curves_figure(gather_curves(rows, request)).panels[0].y;

  EXPECT_FALSE(axis.logarithmic);
  EXPECT_LT(axis.low, -3);
  EXPECT_GT(axis.high, 141.3);
  EXPECT_EQ(axis.ticks[1].at - axis.ticks[0].at, 20);
  rows[0].snr_db = 0;
  rows.pop_back();
  EXPECT_THAT(curves_figure(gather_curves(rows, request)).panels[0].layers.back().spots[0].tip,
              holds("snr_db 0"));
}

TEST(CurvesFigure, DrawsAGainAboutOne) {
  std::vector<Row> rows = {made_up({}), made_up({.n = 8})};
  rows[0].gain = 1 - 3e-9;
  rows[1].gain = 1 + 1e-9;
  FigureRequest request = by_mode;
  request.y = "gain";

  const Panel panel = curves_figure(gather_curves(rows, request)).panels[0];

  EXPECT_FALSE(panel.y.logarithmic);
  EXPECT_LT(panel.y.low, *rows[0].gain);
  EXPECT_GT(panel.y.low, 1 - 4e-9);
  EXPECT_GT(panel.y.high, *rows[1].gain);
  EXPECT_THAT(rules_of(panel.y), ElementsAre("unbiased"));
  EXPECT_EQ(panel.y.ticks[0].label.text, "0.999999997");
  EXPECT_THAT(panel.layers.back().spots[0].tip, holds("gain 1.000000001"));
  rows.resize(1);
  rows[0].gain = 1;
  const Axis point = curves_figure(gather_curves(rows, request)).panels[0].y;
  EXPECT_LT(point.low, 1);
  EXPECT_GT(point.high, 1);
}

TEST(CurvesFigure, HasFiniteAxesForErrorsAsLargeAsNumbersGo) {
  for (const double least : {1e-3, 1e300}) {
    const std::vector<Row> rows = {made_up({.error = least, .bound = std::nullopt}),
                                   made_up({.n = 128, .error = 1.5e308, .bound = std::nullopt})};

    const Axis axis = curves_figure(gather_curves(rows, by_mode)).panels[0].y;

    EXPECT_GE(axis.high, 1.5e308);
    EXPECT_TRUE(std::isfinite(axis.high));
    for (const Tick& tick : axis.ticks) EXPECT_TRUE(std::isfinite(tick.at));
  }
}

TEST(CurvesFigure, GivesEachPanelItsOwnRangeIfAsked) {
  const std::vector<Row> rows = {
      made_up({.algorithm = "a", .error = 3e-3, .bound = std::nullopt}),
      made_up({.algorithm = "b", .error = 3e-13, .bound = std::nullopt})};
  FigureRequest request = by_mode;

  const Figure shared = curves_figure(gather_curves(rows, request));
  request.own_y_range = true;
  const Figure own = curves_figure(gather_curves(rows, request));

  for (const Panel& panel : shared.panels) {
    EXPECT_NEAR(panel.y.low, 1e-13, 1e-15);
    EXPECT_NEAR(panel.y.high, 1e-2, 1e-4);
  }
  EXPECT_TRUE(shared.shared_y);
  EXPECT_NEAR(own.panels[0].y.low, 1e-3, 1e-5);
  EXPECT_NEAR(own.panels[1].y.high, 1e-11, 1e-13);
  EXPECT_FALSE(own.shared_y);
}

TEST(CurvesFigure, HasALayerForEveryPartThatThereIs) {
  std::vector<Row> rows;
  for (const std::uint64_t n : {8u, 64u})
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      rows.push_back(
          made_up({.n = n,
                   .seed = seed,
                   .error = n == 8 && seed == 1 ? 0 : 1e-7 * static_cast<double>(seed)}));
      rows.back().expected_l2_rel = 2e-7;
    }
  const Figure figure = curves_figure(gather_curves(rows, by_mode));

  const Layer& median = layer_of(figure, "median");
  ASSERT_EQ(median.spots.size(), 2u);
  EXPECT_EQ(median.spots[0].y, 2e-7);
  EXPECT_EQ(median.form, Form::line);
  EXPECT_EQ(layer_of(figure, "range").form, Form::band);
  EXPECT_EQ(layer_of(figure, "range").spots[0].y, 2e-7) << "the smallest that is not 0";
  EXPECT_EQ(layer_of(figure, "range").spots[1].y2, 3e-7);
  EXPECT_EQ(layer_of(figure, "expected").spots[1].y, 2e-7);
  EXPECT_EQ(layer_of(figure, "bound").spots.size(), 2u);
  ASSERT_EQ(layer_of(figure, "exact").spots.size(), 1u);
  EXPECT_EQ(layer_of(figure, "exact").spots[0].y, 0);
  std::vector<std::string> legend;
  for (const LegendEntry& entry : figure.legend) legend.push_back(entry.name);
  EXPECT_THAT(legend, ElementsAre("fp32", "range", "expected", "worst-case bound"));
}

TEST(CurvesFigure, TellsOfEveryMarkWhatItIs) {
  const std::vector<Row> rows = {on_machine("trn-rz", {.algorithm = "bluestein",
                                                       .mode = "bf16",
                                                       .n = 97,
                                                       .seed = 1,
                                                       .error = 1e-3,
                                                       .bound = 0.5}),
                                 on_machine("trn-rz", {.algorithm = "bluestein",
                                                       .mode = "bf16",
                                                       .n = 97,
                                                       .seed = 2,
                                                       .error = 3e-3,
                                                       .bound = 0.25})};
  const std::string tip =
      layer_of(curves_figure(gather_curves(rows, by_mode)), "median").spots.at(0).tip;

  for (const char* part : {"algorithm bluestein", "mode bf16", "machine trn-rz", "n 97",
                           "err_l2_rel 2e-3", "2 rows", "1e-3 to 3e-3", "bound 0.5"})
    EXPECT_THAT(tip, holds(part));
}

TEST(CurvesFigure, DrawsWhiskersWhereABandWouldHaveNoWidth) {
  const std::vector<Row> rows = {made_up({.seed = 1}), made_up({.seed = 2, .error = 2e-7})};
  EXPECT_EQ(layer_of(curves_figure(gather_curves(rows, by_mode)), "range").form, Form::whiskers);
}

}  // namespace
}  // namespace fftprec::figures

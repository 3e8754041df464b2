/// Rows gathered into the cells of a heat map.
#include "reports/figures/heatmap.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/support/fragments.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::figures {
namespace {

using ::testing::ElementsAre;
using testing::holds;
using ::testing::IsEmpty;

constexpr double infinity = std::numeric_limits<double>::infinity();

const FigureRequest by_algorithm = {
    .name = "h", .title = "H", .series = "algorithm", .panel = "mode"};

/// The only cell of the only panel.
HeatCell only_cell(const std::vector<Row>& rows, const std::string& y = "err_l2_rel") {
  FigureRequest request = by_algorithm;
  request.y = y;
  const HeatMap map = gather_heat_map(rows, request);
  EXPECT_EQ(map.panels.size(), 1u);
  EXPECT_EQ(map.panels.at(0).cells.size(), 1u);
  return map.panels.at(0).cells.at(0);
}

/// A row of another length, which makes a map out of rows that have no value.
Row measured() { return made_up({.n = 8}); }

/// The cell at n = 64 of a map in which n = 8 is measured.
CellKind kind_beside_measured(std::vector<Row> rows) {
  rows.push_back(measured());
  const HeatMap map = gather_heat_map(rows, by_algorithm);
  return map.panels.at(0).cells.at(1).kind;
}

TEST(GatherHeatMap, PutsEachCaseIntoItsPanelRowAndColumn) {
  const std::vector<Row> rows = {
      made_up({.algorithm = "a", .mode = "fp32", .n = 1000, .error = 1}),
      made_up({.algorithm = "b", .mode = "fp32", .n = 64, .error = 2}),
      made_up({.algorithm = "b", .mode = "bf16", .n = 1000, .error = 3})};

  const HeatMap map =
      gather_heat_map(rows, by_algorithm, {{"mode", {"fp32", "bf16"}}, {"algorithm", {"b", "a"}}});

  EXPECT_THAT(map.columns, ElementsAre("64", "1000"));
  EXPECT_THAT(map.rows, ElementsAre("b", "a"));
  ASSERT_EQ(map.panels.size(), 2u);
  EXPECT_EQ(map.panels[0].name, "fp32");
  ASSERT_EQ(map.panels[0].cells.size(), 2u);
  EXPECT_EQ(map.panels[0].cells[0].column, 0u);
  EXPECT_EQ(map.panels[0].cells[0].row, 0u);
  EXPECT_EQ(map.panels[0].cells[0].value, 2);
  EXPECT_EQ(map.panels[0].cells[1].column, 1u);
  EXPECT_EQ(map.panels[0].cells[1].row, 1u);
  EXPECT_EQ(map.panels[0].cells[1].value, 1);
  EXPECT_EQ(map.panels[1].name, "bf16");
  ASSERT_EQ(map.panels[1].cells.size(), 1u);
  EXPECT_EQ(map.panels[1].cells[0].value, 3);
}

TEST(GatherHeatMap, TakesTheMedianOverSeeds) {
  const HeatCell cell =
      only_cell({made_up({.seed = 1, .error = 1}), made_up({.seed = 2, .error = 9}),
                 made_up({.seed = 3, .error = 2})});

  EXPECT_EQ(cell.value, 2);
  EXPECT_EQ(cell.count, 3u);
}

TEST(GatherHeatMap, MarksAnErrorOfZeroAsExact) {
  EXPECT_EQ(only_cell({made_up({.error = 0})}).kind, CellKind::exact);
  Row bits = made_up({});
  bits.bits_l2 = infinity;
  EXPECT_EQ(only_cell({bits}, "bits_l2").kind, CellKind::exact);
  bits.bits_l2 = 0;
  EXPECT_EQ(only_cell({bits}, "bits_l2").kind, CellKind::value);
  bits.snr_db = infinity;
  EXPECT_EQ(only_cell({bits}, "snr_db").kind, CellKind::exact);
  bits.gain = 0;
  EXPECT_EQ(only_cell({bits}, "gain").kind, CellKind::value);
}

TEST(GatherHeatMap, MarksWhatIsNotFinite) {
  EXPECT_EQ(only_cell({made_up({.error = infinity})}).kind, CellKind::not_finite);
  EXPECT_EQ(only_cell({made_up({.error = std::numeric_limits<double>::quiet_NaN()})}).kind,
            CellKind::not_finite);
}

TEST(GatherHeatMap, MarksSkippedAndFailedCases) {
  EXPECT_EQ(kind_beside_measured({skipped_row({}, "n")}), CellKind::skipped);
  EXPECT_EQ(kind_beside_measured({failed_row({}, "m")}), CellKind::failed);
}

TEST(GatherHeatMap, ShowsTheMedianOfACellThatIsPartlySkipped) {
  EXPECT_EQ(kind_beside_measured({skipped_row({.seed = 2}, "n"), made_up({})}), CellKind::value);
  EXPECT_EQ(only_cell({skipped_row({.seed = 2}, "n"), made_up({})}).count, 2u);
}

TEST(GatherHeatMap, NeverHidesAFailureBehindAMedian) {
  EXPECT_EQ(only_cell({made_up({.seed = 1}), failed_row({.seed = 2}, "m")}).kind, CellKind::failed);
}

TEST(GatherHeatMap, KnowsNoRatioWithoutABound) {
  FigureRequest request = by_algorithm;
  request.y = err_over_bound;

  const HeatMap map = gather_heat_map(
      std::vector{made_up({.n = 8, .error = 1, .bound = 4}), made_up({.bound = std::nullopt})},
      request);

  EXPECT_EQ(map.panels.at(0).cells.at(0).value, 0.25);
  EXPECT_EQ(map.panels.at(0).cells.at(1).kind, CellKind::no_value);
}

TEST(GatherHeatMap, HasNoPlaceOnALogarithmicScaleForNegativeNumbers) {
  EXPECT_EQ(only_cell({made_up({.error = -1e-7})}).kind, CellKind::no_value);
  Row bits = made_up({});
  bits.bits_l2 = -2;
  EXPECT_EQ(only_cell({bits}, "bits_l2").kind, CellKind::value);
}

TEST(GatherHeatMap, DividesTheErrorByTheExpectedOne) {
  Row row = made_up({.error = 3});
  row.expected_l2_rel = 2;

  EXPECT_EQ(only_cell({row}, err_over_expected).value, 1.5);
}

TEST(GatherHeatMap, HoldsTheOtherAxesOfSkippedRowsToo) {
  Row elsewhere = skipped_row({.n = 32}, "n");
  elsewhere.where.set(&Case::machine, "ieee");

  const HeatMap map = gather_heat_map(std::vector{made_up({}), elsewhere}, by_algorithm);

  EXPECT_THAT(map.columns, ElementsAre("64"));
  EXPECT_EQ(map.held, "transform fft, machine trn, tables exact, input gaussian");
}

TEST(GatherHeatMap, HasNoPanelsWithoutAMeasuredRow) {
  EXPECT_THAT(gather_heat_map(std::vector{skipped_row({}, "n")}, by_algorithm).panels, IsEmpty());
  FigureRequest request = by_algorithm;
  request.y = "bits_l2";
  EXPECT_THAT(gather_heat_map(std::vector{made_up({})}, request).panels, IsEmpty());
  request.y = "seed";  // a skipped row has one
  EXPECT_THAT(gather_heat_map(std::vector{skipped_row({}, "n")}, request).panels, IsEmpty());
}

std::string text_of(double value, const std::string& y = "err_l2_rel") {
  return cell_text({0, 0, CellKind::value, value, 1}, y);
}

TEST(CellText, HasTwoSignificantDigits) {
  EXPECT_EQ(text_of(3.14e-7), "3.1e-7");
  EXPECT_EQ(text_of(9.96e-17), "1e-16");
  EXPECT_EQ(text_of(0.0042), "4.2e-3");
  EXPECT_EQ(text_of(0.0421), "0.042");
  EXPECT_EQ(text_of(0.421), "0.42");
  EXPECT_EQ(text_of(0.0996), "0.1");
  EXPECT_EQ(text_of(4.21), "4.2");
  EXPECT_EQ(text_of(42.1), "42");
  EXPECT_EQ(text_of(420.5), "4.2e2");
  EXPECT_EQ(text_of(23.46, "bits_l2"), "23.5");
  EXPECT_EQ(text_of(0.998234, "gain"), "0.998234");
}

TEST(CellText, NamesWhatIsNoNumber) {
  const auto text = [](CellKind kind, double value = 0) {
    return cell_text({0, 0, kind, value, 1}, "err_l2_rel");
  };
  EXPECT_EQ(text(CellKind::exact), "exact");
  EXPECT_EQ(text(CellKind::skipped), "s");
  EXPECT_EQ(text(CellKind::failed), "x");
  EXPECT_EQ(text(CellKind::no_value), "–");
  EXPECT_EQ(text(CellKind::not_finite, infinity), "inf");
  EXPECT_EQ(text(CellKind::not_finite, std::nan("")), "nan");
}

/// Cells of every kind.
std::vector<Row> rows_of_every_kind() {
  return {made_up({.error = 1e-7}),
          made_up({.n = 128, .error = 0}),
          skipped_row({.n = 3}, "n is no power of two"),
          failed_row({.n = 4}, "memory"),
          made_up({.n = 8, .error = infinity}),
          made_up({.n = 16, .error = -1e-7})};
}

TEST(HeatMapFigure, HasACellPerPlaceThatTellsWhatItIs) {
  const HeatMap map = gather_heat_map(rows_of_every_kind(), by_algorithm);
  const Figure figure = heat_map_figure(map);

  ASSERT_EQ(figure.panels.size(), 1u);
  const Panel& panel = figure.panels[0];
  EXPECT_EQ(panel.title, "fp32");
  EXPECT_TRUE(panel.x.names && panel.y.names);
  const std::vector<Spot>& cells = panel.layers.at(0).spots;
  ASSERT_EQ(cells.size(), 6u);
  std::vector<std::string> texts;
  for (const Spot& cell : cells) texts.push_back(cell.text);
  EXPECT_THAT(texts, ElementsAre("s", "x", "inf", "–", "1e-7", "exact"));
  EXPECT_TRUE(cells[0].hatched);
  EXPECT_EQ(cells[1].fill, "#d55e00");
  EXPECT_EQ(cells[5].fill, "#ffffff");
  for (const char* part : {"algorithm radix2-dit", "mode fp32", "machine trn", "n 64",
                           "err_l2_rel 1e-7", "1 row", "bound "})
    EXPECT_THAT(cells[4].tip, holds(part));
  EXPECT_THAT(cells[1].tip, holds("failed"));
}

TEST(HeatMapFigure, ExplainsOnlyTheKindsThatOccur) {
  const auto legend = [](const std::vector<Row>& rows) {
    std::vector<std::string> names;
    for (const LegendEntry& entry : heat_map_figure(gather_heat_map(rows, by_algorithm)).legend)
      names.push_back(entry.name);
    return names;
  };
  EXPECT_THAT(legend(rows_of_every_kind()),
              ElementsAre("error is 0", "skipped", "failed", "not finite", "not defined"));
  EXPECT_THAT(legend({made_up({})}), IsEmpty());
  EXPECT_THAT(legend({made_up({}), made_up({.algorithm = "a", .n = 8})}),
              ElementsAre("blank: not run"));
}

TEST(HeatMapFigure, HasOneColourScaleUnlessEachPanelIsToHaveItsOwn) {
  const std::vector<Row> rows = {made_up({.mode = "a", .error = 1e-3}),
                                 made_up({.mode = "b", .error = 1e-9})};
  FigureRequest request = by_algorithm;
  const Figure shared = heat_map_figure(gather_heat_map(rows, request));
  request.own_y_range = true;
  const Figure own = heat_map_figure(gather_heat_map(rows, request));

  EXPECT_TRUE(shared.shared_bar);
  EXPECT_EQ(shared.panels[0].bar->axis.low, shared.panels[1].bar->axis.low);
  EXPECT_FALSE(own.shared_bar);
  EXPECT_GT(own.panels[0].bar->axis.low, own.panels[1].bar->axis.high);
}

ColourScale scale_of(const std::vector<double>& values, const std::string& y = "err_l2_rel") {
  HeatPanel panel;
  for (const double value : values) panel.cells.push_back({0, 0, CellKind::value, value, 1});
  return colour_scale({&panel, 1}, y);
}

TEST(ColourScale, ReachesFromTheSmallestToTheLargestValue) {
  const ColourScale scale = scale_of({1e-3, 1e-9, 1e-6});
  EXPECT_TRUE(scale.logarithmic);
  EXPECT_EQ(scale.low, 1e-9);
  EXPECT_EQ(scale.high, 1e-3);
  EXPECT_NEAR(scale.shade(1e-6), 0.5, 1e-12);
  EXPECT_EQ(scale_of({}).high, 2);
}

TEST(ColourScale, MeansTheSameOfErrorsAndOfBits) {
  const ColourScale errors = scale_of({1e-3, 1e-9});
  EXPECT_EQ(errors.shade(1e-9), 1) << "the best is light";
  EXPECT_EQ(errors.shade(1e-3), 0);
  const ColourScale bits = scale_of({5, 20}, "bits_l2");
  EXPECT_EQ(bits.shade(20), 1);
  FigureRequest request = by_algorithm;
  const ColourBar bar =
      *heat_map_figure(gather_heat_map(std::vector{made_up({})}, request)).panels[0].bar;
  EXPECT_GT(bar.colours.front(), bar.colours.back()) << "light where the axis has small errors";
}

TEST(ColourScale, DoesNotMakeASmallDifferenceLookLarge) {
  EXPECT_NEAR(scale_of({1, 1.01}).high / scale_of({1, 1.01}).low, 2, 1e-12);
  const ColourScale bits = scale_of({20, 20.5}, "bits_l2");
  EXPECT_FALSE(bits.logarithmic);
  EXPECT_NEAR(bits.high - bits.low, 1, 1e-12);
}

TEST(PaletteColour, RunsFromDarkToLight) {
  EXPECT_EQ(palette_colour(0), "#440154");
  EXPECT_EQ(palette_colour(0.5), "#21918c");
  EXPECT_EQ(palette_colour(1), "#fde725");
  EXPECT_EQ(palette_colour(7), "#fde725");
}

}  // namespace
}  // namespace fftprec::figures

/// The histogram of error over bound: every row is counted once, and the bound is an edge.
#include "reports/figures/histogram.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/fragments.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::figures {
namespace {

using testing::holds;

Histogram of_ratios(const std::vector<double>& ratios) {
  std::vector<Row> rows;
  for (const double ratio : ratios)
    rows.push_back(made_up({.seed = rows.size() + 1, .error = ratio, .bound = 1}));
  return gather_histogram(rows);
}

/// log10 of where the bin with the only row begins.
double bin_of(double ratio) {
  const Histogram histogram = of_ratios({ratio});
  const std::vector<std::size_t>& counts = histogram.panels[0].counts;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] == 1) return histogram.first_exponent + static_cast<double>(i) * histogram_step;
  return std::numeric_limits<double>::quiet_NaN();
}

TEST(GatherHistogram, HasTheBoundAsAnEdgeThatBelongsBelow) {
  EXPECT_EQ(bin_of(1), -0.25);
  EXPECT_EQ(bin_of(1.0000001), 0);
  EXPECT_EQ(bin_of(0.1), -1.25);
  EXPECT_EQ(bin_of(0.2), -0.75);
}

TEST(GatherHistogram, PutsWhatLiesBeyondIntoTheOuterBins) {
  EXPECT_EQ(bin_of(1e-40), -6);
  EXPECT_EQ(bin_of(1e30), 1.75);
}

TEST(GatherHistogram, CountsEveryRowOnce) {
  const std::vector<double> ratios = {0,
                                      1e-9,
                                      1e-3,
                                      0.02,
                                      0.5,
                                      1,
                                      1.5,
                                      1e12,
                                      std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::quiet_NaN()};

  const HistogramPanel panel = of_ratios(ratios).panels[0];

  EXPECT_EQ(panel.rows, ratios.size());
  EXPECT_EQ(panel.exact, 1u);
  EXPECT_EQ(panel.not_finite, 2u);
  EXPECT_EQ(std::accumulate(panel.counts.begin(), panel.counts.end(), std::size_t{0}),
            ratios.size() - 3);
}

TEST(GatherHistogram, HasAPanelForAllAndOnePerModeInTheOrderOfTheRegistry) {
  const std::vector<Row> rows = {made_up({.mode = "fp32"}), made_up({.mode = "bf16"}),
                                 made_up({.mode = "bf16", .seed = 2}),
                                 made_up({.mode = "ozaki", .bound = {}}), skipped_row({}, "no")};

  const Histogram histogram = gather_histogram(rows, {{"mode", {"bf16", "ozaki", "fp32"}}});

  ASSERT_EQ(histogram.panels.size(), 3u);
  EXPECT_EQ(histogram.panels[0].rows, 3u);
  EXPECT_EQ(histogram.panels[1].name, "bf16");
  EXPECT_EQ(histogram.panels[1].rows, 2u);
  EXPECT_EQ(histogram.panels[2].style, 2u) << "fp32 is the third of the registry";
  EXPECT_TRUE(gather_histogram(std::vector<Row>{made_up({.bound = {}})}).panels.empty());
}

TEST(HistogramFigure, DrawsSharesAndMarksTheBound) {
  const Figure figure = histogram_figure("h", "H", of_ratios({0.5, 0.5, 0.5, 0.05}));

  const Panel& all = figure.panels.at(0);
  const std::vector<Spot>& bars = all.layers.at(0).spots;
  ASSERT_EQ(bars.size(), 2u) << "bins without a row have no bar";
  EXPECT_EQ(bars[0].x, -1.5);
  EXPECT_EQ(bars[0].x2, -1.25);
  EXPECT_EQ(bars[0].y2, 25);
  EXPECT_EQ(bars[1].x, -0.5);
  EXPECT_EQ(bars[1].y2, 75);
  EXPECT_THAT(bars[1].tip, holds("3 rows, 75 %"));
  ASSERT_EQ(all.x.rules.size(), 1u);
  EXPECT_EQ(all.x.rules[0].at, 0);
  EXPECT_EQ(all.x.rules[0].label.text, "bound");
  EXPECT_EQ(all.x.label, "error / worst-case bound, 2-norm");
  EXPECT_EQ(all.notes.at(0), "4 rows");
  EXPECT_GT(all.y.high, 75) << "room for the notes";
  EXPECT_THAT(figure.panels.at(1).layers.at(0).spots.at(0).tip, holds("mode fp32"));
}

}  // namespace
}  // namespace fftprec::figures

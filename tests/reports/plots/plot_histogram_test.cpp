/// The histogram of error over bound: every row is counted once, and the bound is an edge.
#include "reports/plots/plot_histogram.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::HasSubstr;

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
  const std::vector<Row> rows = {made_up({.mode = "fast"}), made_up({.mode = "bf16"}),
                                 made_up({.mode = "bf16", .seed = 2}),
                                 made_up({.mode = "ozaki", .bound = {}}), skipped_row({}, "no")};

  const Histogram histogram = gather_histogram(rows, {{"mode", {"bf16", "ozaki", "fast"}}});

  ASSERT_EQ(histogram.panels.size(), 3u);
  EXPECT_EQ(histogram.panels[0].rows, 3u);
  EXPECT_EQ(histogram.panels[1].name, "bf16");
  EXPECT_EQ(histogram.panels[1].rows, 2u);
  EXPECT_EQ(histogram.panels[2].style, 2u) << "fast is the third of the registry";
  EXPECT_TRUE(gather_histogram(std::vector<Row>{made_up({.bound = {}})}).panels.empty());
}

TEST(HistogramDrawing, DrawsSharesAndMarksTheBound) {
  const Drawing drawing = histogram_drawing("h", of_ratios({0.5, 0.5, 0.5, 0.05}), 0, {360, 270});

  EXPECT_THAT(drawing.data, HasSubstr("\n-0.5 -0.25 3 75\n"));
  EXPECT_THAT(drawing.data, HasSubstr("\n-1.5 -1.25 1 25\n"));
  EXPECT_THAT(drawing.script, HasSubstr("first 0, graph 0 to first 0, graph 1"));
  EXPECT_THAT(drawing.script, HasSubstr("'error / worst-case bound, 2-norm'"));
}

}  // namespace
}  // namespace fftprec

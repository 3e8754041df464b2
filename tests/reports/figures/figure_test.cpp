/// Colours, shapes and dashes: what tells series apart, however many there are.
#include "reports/figures/figure.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>
#include <tuple>

namespace fftprec::figures {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back("m" + std::to_string(i));
  return all;
}

TEST(SeriesStyles, KeepTheirPlaceInTheListWhereTheyCan) {
  EXPECT_THAT(series_styles({"c", "a"}, {"a", "b", "c"}), ElementsAre(2u, 0u));
  EXPECT_THAT(series_styles({"m9", "m1"}, names(12)), ElementsAre(0u, 1u))
      << "9 has the colour of 1, which is there, so it takes another";
  EXPECT_THAT(series_styles({"m9"}, names(12)), ElementsAre(1u)) << "and no dashes alone";
}

TEST(SeriesStyles, GiveUpToEightNamesEightColours) {
  const std::vector<std::string> shown = {"m0", "m8", "m16", "m24", "m1", "m9", "x", "y"};
  std::set<std::string> colours;

  for (const std::size_t style : series_styles(shown, names(30))) {
    colours.insert(series_class(style));
    EXPECT_EQ(series_dashes(style), "");
  }

  EXPECT_EQ(colours.size(), 8u);
}

TEST(SeriesStyles, StayApartForManyNames) {
  std::set<std::tuple<std::string, Mark, std::string>> looks;
  std::set<std::tuple<std::string, std::string>> lines;

  for (const std::size_t style : series_styles(names(64), names(30))) {
    looks.emplace(series_class(style), series_mark(style), series_dashes(style));
    lines.emplace(series_class(style), series_dashes(style));
  }

  EXPECT_EQ(looks.size(), 64u);
  EXPECT_EQ(lines.size(), 32u) << "without their points, 32 lines differ";
}

std::vector<std::string> labels_of(const Axis& axis) {
  std::vector<std::string> labels;
  for (const Tick& tick : axis.ticks)
    if (!tick.label.text.empty())
      labels.push_back(tick.label.text +
                       (tick.label.superscript.empty() ? "" : "^" + tick.label.superscript));
  return labels;
}

Range range_of(double low, double high) {
  Range range;
  range.add(low);
  range.add(high);
  return range;
}

TEST(Octaves, LabelPowersOfTwoWithinTheAxis) {
  EXPECT_THAT(labels_of(octaves(range_of(64, 256), "n")), ElementsAre("64", "128", "256"));
  EXPECT_THAT(labels_of(octaves(range_of(100, 500), "n")), ElementsAre("128", "256", "512"));
  EXPECT_THAT(labels_of(octaves(range_of(1 << 17, 1 << 18), "n")), ElementsAre("2^17", "2^18"));
  EXPECT_THAT(labels_of(octaves(range_of(0.25, 0.5), "x")), ElementsAre("2^-2", "2^-1"));
}

TEST(Decades, LabelPowersOfTenAndMarkTheirMultiples) {
  const Axis axis = decades(range_of(3e-3, 0.5), "error", false, "");
  EXPECT_THAT(labels_of(axis), ElementsAre("10^-3", "10^-2", "10^-1", "10^0"));
  EXPECT_EQ(axis.ticks.size(), 4u + 3 * 8);
  EXPECT_EQ(axis.ticks[1].at, 2e-3);
  EXPECT_NEAR(axis.share(1e-3), 0, 1e-3);
  EXPECT_NEAR(axis.share(1), 1, 1e-3);
  EXPECT_NEAR(axis.share(std::sqrt(1e-3)), 0.5, 1e-9) << "equal ratios, equal steps";
}

TEST(Decades, HaveALineForZerosBelowTheLowestLabel) {
  const Axis axis = decades(range_of(1e-3, 1), "error", true, "exact");
  EXPECT_EQ(axis.ticks.back().label.text, "exact");
  EXPECT_EQ(axis.share(0), axis.share(axis.zero));
  EXPECT_GT(axis.share(0), 0);
  EXPECT_LT(axis.share(0), axis.share(1e-3) - 0.05);
  EXPECT_EQ(axis.rules.at(0).at, axis.zero);
  EXPECT_THAT(labels_of(decades(Range{}, "error", true, "exact")),
              ElementsAre("10^0", "10^1", "10^2", "exact"))
      << "of nothing but zeros";
}

TEST(EvenSteps, AreOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_THAT(labels_of(even_steps(0, 52, "%", 7)), ElementsAre("0", "10", "20", "30", "40", "50"));
  EXPECT_THAT(labels_of(even_steps(0, 1, "", 5)),
              ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1"));
  EXPECT_THAT(labels_of(even_steps(-3, 3, "", 3)), ElementsAre("-2", "0", "2"));
  EXPECT_TRUE(even_steps(1, 1, "", 5).ticks.empty());
}

TEST(NamedLines, StandFromTheTopDownOrFromTheLeft) {
  EXPECT_GT(named_lines({"a", "b"}, true).share(0), named_lines({"a", "b"}, true).share(1));
  EXPECT_LT(named_lines({"a", "b"}, false).share(0), named_lines({"a", "b"}, false).share(1));
}

}  // namespace
}  // namespace fftprec::figures

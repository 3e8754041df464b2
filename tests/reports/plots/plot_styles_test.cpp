/// Colours, shapes and dashes: what tells series apart, however many there are.
#include "reports/plots/plot_styles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace fftprec {
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
  std::set<std::string_view> colours;

  for (const std::size_t style : series_styles(shown, names(30))) {
    colours.insert(series_colour(style));
    EXPECT_EQ(dash_list(style), "");
  }

  EXPECT_EQ(colours.size(), 8u);
}

TEST(SeriesStyles, StayApartForManyNames) {
  std::set<std::tuple<std::string_view, int, std::string>> looks;
  std::set<std::tuple<std::string_view, std::string>> lines;

  for (const std::size_t style : series_styles(names(64), names(30))) {
    looks.emplace(series_colour(style), series_shape(style), dash_list(style));
    lines.emplace(series_colour(style), dash_list(style));
  }

  EXPECT_EQ(looks.size(), 64u);
  EXPECT_EQ(lines.size(), 32u) << "without their points, 32 lines differ";
}

TEST(SeriesDashes, AreSolidAsLongAsNoColourRepeats) {
  EXPECT_EQ(dash_list(7), "");
  EXPECT_EQ(dash_list(8), "16,4,3,4");
  EXPECT_EQ(series_colour(8), series_colour(0));
  EXPECT_NE(series_shape(8), series_shape(0));
}

}  // namespace
}  // namespace fftprec

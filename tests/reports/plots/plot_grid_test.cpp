/// The canvas of a figure: nothing is cut, however long names and titles are.
#include "reports/plots/plot_grid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/plots/plot_canvas.hpp"
#include "reports/plots/plot_script.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Pixels of a letter of the legend, measured in DejaVu Sans at 11 points: 8.6.
constexpr int legend_letter = 8;

TEST(Grid, IsWideEnoughForTheLongestNameOfItsLegend) {
  const std::string name(60, 'm');

  const Grid grid = grid_of({.name = "f", .panels = {"a", "b"}, .legend = {name, "b"}});

  EXPECT_GE(grid.width - grid.legend, 36 + legend_letter * 60);
  EXPECT_EQ(grid_of({.name = "f", .panels = {"a", "b"}, .legend = {"a", "b"}}).width, 1000);
}

TEST(Grid, IsHighEnoughForEverySeries) {
  const std::vector<std::string> legend(60, "m");

  const Grid grid = grid_of({.name = "f", .panels = {"a"}, .legend = legend});

  EXPECT_GE(grid.height - grid.top, 60 * 21);
  EXPECT_THAT(grid_legend({.name = "f", .panels = {"a"}, .legend = legend}, grid),
              HasSubstr("maxrows 60"))
      << "in one column";
}

TEST(Grid, KeepsNamesOfPanelsApart) {
  std::vector<std::string> panels(7, "short");
  EXPECT_EQ(grid_of({.name = "f", .panels = panels}).columns, 3u);
  panels[3] = std::string(50, 'p');

  const Grid grid = grid_of({.name = "f", .panels = panels});

  EXPECT_GE(grid.panel_width, 50 * 9);
  EXPECT_EQ(grid.columns, 2u);
}

TEST(Grid, MakesRoomForALongSubtitle) {
  std::string subtitle = "transform fft";
  for (int i = 0; i < 30; ++i) subtitle += ", parameter " + std::to_string(i);
  const Grid plain = grid_of({.name = "f", .panels = {"a"}});
  const GridTexts texts{.name = "f", .title = "T", .subtitle = subtitle, .panels = {"a"}};

  const Grid grid = grid_of(texts);

  const auto lines = title_lines("T", subtitle, Grid::left, grid.width);
  ASSERT_GT(lines.size(), 3u);
  EXPECT_EQ(grid.top - plain.top, 18 * (static_cast<int>(lines.size()) - 2));
  std::string joined;
  for (std::size_t i = 1; i < lines.size(); ++i) joined += (i == 1 ? "" : " ") + lines[i].text;
  EXPECT_EQ(joined, subtitle) << "not a letter is lost";
}

TEST(Wrapped, BreaksAtSpacesAndWithinLongWords) {
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("abcdefgh", 3), ElementsAre("abc", "def", "gh"));
  EXPECT_THAT(wrapped("·····", 3), ElementsAre("···", "··")) << "letters, not bytes";
  EXPECT_THAT(wrapped("", 5), ElementsAre(""));
}

TEST(PlotScript, HasAWiderCanvasForLongNames) {
  std::vector<Row> rows = {made_up({}), made_up({})};
  rows[1].where.machine = "trn{accumulate.order=pairwise,psum=bf16,k_tile=32}";

  const std::string script =
      plot_script(gather(rows, {.name = "f", .title = "T", .series = "machine"}));

  EXPECT_THAT(script, HasSubstr("size 1292,"));
  EXPECT_THAT(script, HasSubstr("title '" + rows[1].where.machine + "'"));
}

}  // namespace
}  // namespace fftprec

/// Figures without gnuplot: well-formed, alone, and with everything that has a place in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/plots/plot_draw.hpp"
#include "tests/support/figure_rows.hpp"
#include "tests/support/markup.hpp"

namespace fftprec {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

std::string plain_of(const FigureRequest& request) {
  return draw(testing::figure_rows(), request, {}).at(0).plain;
}

std::size_t count(std::string_view text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string_view::npos; ++at) ++found;
  return found;
}

TEST(PlainFigures, AreWellFormedAndStandAlone) {
  for (const PlotKind kind :
       {PlotKind::lines, PlotKind::heatmap, PlotKind::cost, PlotKind::histogram}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const bool is_cost = kind == PlotKind::cost;
    const std::string svg =
        plain_of({.name = "f", .title = "A <b> & c", .x = is_cost ? "" : "n", .kind = kind});

    EXPECT_EQ(testing::markup_problem(svg.substr(svg.find("<svg"))), "");
    EXPECT_THAT(svg, HasSubstr("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""));
    EXPECT_THAT(svg, HasSubstr(">A &lt;b&gt; &amp; c</text>"));
    EXPECT_THAT(svg, Not(HasSubstr("var(--"))) << "a colour that nothing defines";
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
  }
}

TEST(PlainLines, ShowEverySeriesWithBandBoundAndExpectedValue) {
  const std::string svg = plain_of({.name = "f", .title = "T"});

  for (const char* part : {"median", "bound", "expected"})
    EXPECT_EQ(count(svg, "class=\"curve " + std::string(part) + "\""), 4u) << part;
  EXPECT_EQ(count(svg, "class=\"curve range\""), 4u);
  for (const char* text : {">fast</text>", ">bf16</text>", ">worst-case bound</text>",
                           ">exact</text>", ">transform length n</text>", ">dft-gemm</text>"})
    EXPECT_THAT(svg, HasSubstr(text));
}

TEST(PlainCosts, NumberTheFrontAndListIt) {
  const std::string svg = plain_of({.x = "mac_count", .kind = PlotKind::cost});

  EXPECT_THAT(svg, HasSubstr(">1 radix2-dit, fast: 1.50e-07</text>"));
  EXPECT_THAT(svg, HasSubstr(">2 dft-gemm, fast: exact</text>"));
  EXPECT_THAT(svg, HasSubstr(">real multiply-adds</text>"));
  EXPECT_THAT(svg, ContainsRegex("class=\"front\" d=\"M[0-9.,]+H[0-9.]+V[0-9.]+\""));
}

TEST(PlainCosts, ShowPublishedTimes) {
  const std::string svg = plain_of({.x = published_us, .kind = PlotKind::cost});

  EXPECT_THAT(svg, HasSubstr(">published time on trn1, us</text>"));
  EXPECT_THAT(svg, ContainsRegex("class=\"front\" d=\"M[0-9.,]+"));
}

TEST(PlainHistogram, HasABarPerBinThatIsNotEmpty) {
  const std::string svg = plain_of({.name = "f", .title = "T", .kind = PlotKind::histogram});

  EXPECT_EQ(count(svg, " rows</title>"), 3u)
      << "a bar in each of three panels: error / bound = 0.1";
  EXPECT_THAT(svg, HasSubstr(">16 rows, 2 exact</text>"));
}

TEST(PlainHeatMap, HasACellPerCase) {
  const std::string svg = plain_of(
      {.name = "f", .title = "T", .y = "bits_l2", .series = "mode", .kind = PlotKind::heatmap});

  EXPECT_EQ(count(svg, ">20.0</text>"), 7u);
  EXPECT_EQ(count(svg, ">exact</text>"), 1u);
}

}  // namespace
}  // namespace fftprec

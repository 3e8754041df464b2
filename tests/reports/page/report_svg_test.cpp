/// SVG for a page: of gnuplot's, and our own plain one.
#include "reports/page/report_svg.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/plots/plot_plain.hpp"
#include "reports/plots/plot_styles.hpp"
#include "tests/support/markup.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// As gnuplot 5.4 writes it, shortened.
constexpr std::string_view from_gnuplot =
    R"svg(<?xml version="1.0" encoding="utf-8"  standalone="no"?>
<svg
 width="360" height="270"
 viewBox="0 0 360 270"
 xmlns="http://www.w3.org/2000/svg"
 xmlns:xlink="http://www.w3.org/1999/xlink"
>

<title>Gnuplot</title>
<desc>Produced by GNUPLOT 5.4 patchlevel 4 </desc>

<g id="gnuplot_canvas">

<defs>
	<circle id='gpDot' r='0.5' stroke-width='0.5' stroke='currentColor'/>
</defs>
<g fill="none" color="#FFFFFF" stroke="currentColor" stroke-width="1.00" stroke-linecap="butt" stroke-linejoin="miter">
</g>
<g fill="none" color="black" stroke="currentColor" stroke-width="1.00" stroke-linecap="butt" stroke-linejoin="miter">
	<path stroke='rgb(102, 102, 102)'  d='M92.00,312.01 L95.15,312.01  '/></g>
	<g id="gnuplot_plot_1" ><title>3 bound</title>
<g fill="none" color="black" stroke="currentColor">
	<path stroke='rgb(  0, 114, 178)'  d='M1,2 L3,4  '/></g>
	</g>
	<g id="gnuplot_plot_2" ><title>3 median</title>
	<polygon fill = 'rgb(102, 102, 102)' points = '1,2 3,4'/>
	<use xlink:href='#gpPt6' transform='translate(5,6) scale(4)' color='rgb(  1,   2,   3)'/>
	</g>
</g>
</svg>
)svg";

CurveNames one_name() {
  return [](std::size_t style, std::string_view part) {
    return "<" + std::to_string(style) + "> " + std::string(part);
  };
}

TEST(InlineSvg, KeepsTheDrawingAndDropsWhatAPageMustNotHaveTwice) {
  const std::string svg = inline_svg(from_gnuplot, "a & b", one_name());

  EXPECT_EQ(testing::markup_problem(svg), "") << svg;
  EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 360 270\""));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"a &amp; b\""));
  EXPECT_THAT(svg, HasSubstr("M92.00,312.01 L95.15,312.01"));
  for (const char* gone : {"xml", "http", " id=", "Gnuplot", "<defs", "<desc", "xlink", "#FFFFFF"})
    EXPECT_THAT(svg, Not(HasSubstr(gone)));
}

TEST(InlineSvg, MakesCurvesThatAScriptCanFind) {
  const std::string svg = inline_svg(from_gnuplot, "", one_name());

  EXPECT_THAT(svg, HasSubstr("<g class=\"curve bound\" data-series=\"3\"><title>&lt;3&gt; bound"));
  EXPECT_THAT(svg, HasSubstr("<g class=\"curve median\" data-series=\"3\">"));
}

TEST(InlineSvg, MakesKnownColoursVariablesAndKeepsOthers) {
  const std::string svg = inline_svg(from_gnuplot, "", one_name());

  EXPECT_THAT(svg, HasSubstr("stroke='var(--soft)'"));
  EXPECT_THAT(svg, HasSubstr("stroke='var(--c0)'"));
  EXPECT_THAT(svg, HasSubstr("color=\"var(--ink)\""));
  EXPECT_THAT(svg, HasSubstr("color='#010203'"));
}

TEST(InlineSvg, SurvivesWhatIsNoSvg) {
  EXPECT_EQ(inline_svg("", "", one_name()), "");
  EXPECT_EQ(inline_svg("<svg", "", one_name()), "");
  EXPECT_EQ(inline_svg("</svg><svg>", "", one_name()), "");
  for (std::size_t length = 0; length < from_gnuplot.size(); length += 7)
    inline_svg(std::string(from_gnuplot.substr(0, length)) + "</svg>", "", one_name());
}

TEST(PointShapes, HaveEveryShapeOfASeries) {
  const std::string shapes = point_shapes();
  EXPECT_EQ(testing::markup_problem(shapes), "");
  for (std::size_t style = 0; style < 72; ++style) {
    const std::string shape = "gpPt" + std::to_string(series_shape(style) - 1);
    EXPECT_THAT(shapes, HasSubstr("id=\"" + shape + "\""));
    EXPECT_THAT(series_swatch(style), HasSubstr("href=\"#" + shape + "\""));
  }
}

Figure two_modes() {
  std::vector<Row> rows;
  for (const std::uint64_t n : {8u, 64u, 512u}) {
    rows.push_back(made_up({.mode = "<fast>", .n = n, .error = 1e-7 * static_cast<double>(n)}));
    rows.push_back(made_up({.mode = "exact", .n = n, .error = 0}));
  }
  return gather(rows, {.name = "x", .title = "A \"title\"", .panel = ""});
}

TEST(PlainSvg, DrawsEveryCurveInAGroupOfItsOwn) {
  const std::string svg = plain_svg(two_modes(), 0, {500, 370});

  EXPECT_EQ(testing::markup_problem(svg), "") << svg;
  for (const std::string series : {"0", "1"})
    for (const std::string part : {"bound", "median"})
      EXPECT_THAT(svg, HasSubstr("class=\"curve " + part + "\" data-series=\"" + series + "\""));
  EXPECT_THAT(svg, HasSubstr("&lt;fast&gt;: worst-case bound"));
  EXPECT_THAT(svg, HasSubstr("relative error, 2-norm"));
  EXPECT_THAT(svg, HasSubstr("transform length n"));
  EXPECT_THAT(svg, HasSubstr(">exact</text>"));
}

TEST(PlainSvg, PutsLargerErrorsHigherAndLargerLengthsToTheRight) {
  const std::string svg = plain_svg(two_modes(), 0, {500, 370});
  const std::size_t at = svg.find("d=\"M", svg.find("curve median\" data-series=\"0\""));
  double x[3];
  double y[3];
  ASSERT_EQ(std::sscanf(svg.c_str() + at, "d=\"M%lf,%lfL%lf,%lfL%lf,%lf", &x[0], &y[0], &x[1],
                        &y[1], &x[2], &y[2]),
            6);

  EXPECT_NEAR(x[2] - x[1], x[1] - x[0], 0.11) << "equal ratios, equal steps";
  EXPECT_NEAR(y[2] - y[1], y[1] - y[0], 0.11);
  EXPECT_GT(x[1], x[0]);
  EXPECT_LT(y[1], y[0]);
}

}  // namespace
}  // namespace fftprec

/// The gnuplot script and data of a heat map: golden text, and what they must hold.
#include "reports/plots/plot_heatmap_script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <locale>

#include "reports/plots/plot_colours.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double infinity = std::numeric_limits<double>::infinity();

const FigureRequest by_mode = {
    .name = "h", .title = "It's H", .series = "algorithm", .panel = "mode"};

/// Two panels: in the first a value, a skipped and a failed cell, in the second an exact one.
HeatMap sample_map() {
  const std::vector<Row> rows = {made_up({.mode = "fast", .error = 3.14e-7}),
                                 skipped_row({.mode = "fast", .n = 100}, "n is no power of two"),
                                 failed_row({.mode = "fast", .n = 128}, "memory"),
                                 made_up({.mode = "kahan", .error = 0}),
                                 made_up({.mode = "kahan", .n = 128, .error = 6.28e-7})};
  return gather_heat_map(rows, by_mode);
}

std::string script_of(const std::vector<Row>& rows, const FigureRequest& request = by_mode) {
  return heat_map_script(gather_heat_map(rows, request));
}

HeatPanel panel_of(const std::vector<double>& values) {
  HeatPanel panel;
  for (const double value : values) panel.cells.push_back({0, 0, CellKind::value, value, 1});
  return panel;
}

ColourScale scale_of(const std::vector<double>& values, const std::string& y = "err_l2_rel") {
  const HeatPanel panel = panel_of(values);
  return colour_scale({&panel, 1}, y);
}

TEST(HeatMapData, HoldsOneBlockPerPanelAndOneLinePerCell) {
  EXPECT_EQ(heat_map_data(sample_map()),
            R"(# err_l2_rel: transform fft, machine trn, tables exact, input gaussian
# n and algorithm by number from 0, kind, median, rows, label
# mode=fast
0 0 value 3.14e-07 1 3.1e-7
1 0 skipped - 1 s
2 0 failed - 1 x


# mode=kahan
0 0 exact - 1 exact
2 0 value 6.28e-07 1 6.3e-7
)");
}

TEST(HeatMapScript, IsTheGoldenText) {
  EXPECT_EQ(
      heat_map_script(sample_map()),
      R"gp(# h: in this folder, `gnuplot h.gp` draws h.svg, `gnuplot -c h.gp png` draws h.png, or pdf h.pdf
data = 'h.dat'
if (exists('ARG1') && ARG1 eq 'png') {
  set terminal pngcairo size 720,278 font 'sans,12' pointscale 1.4 background '#ffffff'
  set output 'h.png'
} else { if (exists('ARG1') && ARG1 eq 'pdf') {
  set terminal pdfcairo size 7.5000in,2.8958in font 'sans,12' fontscale 0.7 pointscale 1.1 linewidth 0.8 dashlength 0.6 background '#ffffff'
  set output 'h.pdf'
} else {
  set terminal svg size 720,278 font 'sans-serif,12' fontscale 1.25 dashlength 0.6 background '#ffffff'
  set output 'h.svg'
} }
set encoding utf8
set datafile missing '-'
set palette defined (0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', 5 '#28ae80', 6 '#5ec962', 7 '#addc30', 8 '#fde725')
set border 0 lc '#ffffff'
set tics scale 0 textcolor '#333333' font ',10.5'
unset key
is(name) = strcol(3) eq name
# white on the dark half of the scale, where it reads better than black
ink(value) = shade(value) < 0.43 ? 0xffffff : 0x111111
set xrange [-0.5:2.5]
set yrange [0.5:-0.5]
set xtics ('64' 0, '100' 1, '128' 2) noenhanced
set multiplot

# fast
unset label
unset object
set label 'It''s H' at screen 0.03333, screen 0.90647 left noenhanced font ',15'
set label 'transform fft, machine trn, tables exact, input gaussian' at screen 0.03333, screen 0.82014 left noenhanced font ',10.5' textcolor '#666666'
set label 'number and colour: relative error, 2-norm' at screen 0.03333, screen 0.74820 left noenhanced font ',10.5' textcolor '#666666'
set object rectangle from screen 0.03333, screen 0.62230 to screen 0.08889, screen 0.68705 front fs solid 1 border lc '#999999' fc '#ffffff'
set label 'exact' at screen 0.06111, screen 0.65468 center front noenhanced textcolor '#222222' font ',9'
set label 'error is 0' at screen 0.09861, screen 0.65468 left noenhanced font ',10.5'
set object rectangle from screen 0.22083, screen 0.62230 to screen 0.27639, screen 0.68705 front fs solid 1 border lc '#999999' fc '#ececec'
set object rectangle from screen 0.22083, screen 0.62230 to screen 0.27639, screen 0.68705 front fs transparent pattern 4 border lc '#999999' fc '#c4c4c4'
set label 's' at screen 0.24861, screen 0.65468 center front noenhanced textcolor '#555555' font ',9'
set label 'skipped' at screen 0.28611, screen 0.65468 left noenhanced font ',10.5'
set object rectangle from screen 0.38083, screen 0.62230 to screen 0.43639, screen 0.68705 front fs solid 1 border lc '#999999' fc '#d55e00'
set label 'x' at screen 0.40861, screen 0.65468 center front noenhanced textcolor '#ffffff' font ',9'
set label 'failed' at screen 0.44611, screen 0.65468 left noenhanced font ',10.5'
set label 'blank: not run' at screen 0.53167, screen 0.65468 left noenhanced font ',10.5'
set lmargin at screen 0.15833
set rmargin at screen 0.36250
set bmargin at screen 0.18705
set tmargin at screen 0.48921
set label 'fast' at graph 0, graph 1 left offset 0.2,0.8 noenhanced textcolor '#222222'
set logscale cb
set cbrange [3.14e-07:6.28e-07]
shade(value) = log(value/3.14e-07)/log(6.28e-07/3.14e-07)
unset colorbox
set ytics ('radix2-dit' 0) noenhanced textcolor '#333333' font ',10.5'
plot \
  data index 0 using (is('value') ? $1 : NaN):2:(0.48):(0.46):4 with boxxyerror fs solid 1 noborder lc palette, \
  data index 0 using (is('value') ? $1 : NaN):2:6:(ink($4)) with labels noenhanced font ',9' textcolor rgb variable, \
  data index 0 using (is('skipped') ? $1 : NaN):2:(0.48):(0.46) with boxxyerror fs solid 1 border lc '#bbbbbb' fc '#ececec', \
  data index 0 using (is('skipped') ? $1 : NaN):2:(0.48):(0.46) with boxxyerror fs transparent pattern 4 noborder lc '#cfcfcf', \
  data index 0 using (is('skipped') ? $1 : NaN):2:6 with labels noenhanced font ',9' textcolor '#555555', \
  data index 0 using (is('failed') ? $1 : NaN):2:(0.48):(0.46) with boxxyerror fs solid 1 border lc '#bbbbbb' fc '#d55e00', \
  data index 0 using (is('failed') ? $1 : NaN):2:6 with labels noenhanced font ',9' textcolor '#ffffff'

# kahan
unset label
unset object
set lmargin at screen 0.39306
set rmargin at screen 0.59722
set bmargin at screen 0.18705
set tmargin at screen 0.48921
set label 'kahan' at graph 0, graph 1 left offset 0.2,0.8 noenhanced textcolor '#222222'
set logscale cb
set cbrange [3.14e-07:6.28e-07]
shade(value) = log(value/3.14e-07)/log(6.28e-07/3.14e-07)
set colorbox vertical user origin screen 0.60833, screen 0.18705 size screen 0.01528, screen 0.30216 noborder
set cbtics ('5·10^{-7}' 5e-7) offset -0.6,0
unset ytics
plot \
  data index 1 using (is('value') ? $1 : NaN):2:(0.48):(0.46):4 with boxxyerror fs solid 1 noborder lc palette, \
  data index 1 using (is('value') ? $1 : NaN):2:6:(ink($4)) with labels noenhanced font ',9' textcolor rgb variable, \
  data index 1 using (is('exact') ? $1 : NaN):2:(0.48):(0.46) with boxxyerror fs solid 1 border lc '#bbbbbb' fc '#ffffff', \
  data index 1 using (is('exact') ? $1 : NaN):2:6 with labels noenhanced font ',9' textcolor '#222222'
unset multiplot
unset output
)gp");
}

TEST(HeatMapScript, IsTheSameUnderEveryLocale) {
  class Commas : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    std::string do_grouping() const override { return "\1"; }
  };
  const std::string script = heat_map_script(sample_map());
  const std::string data = heat_map_data(sample_map());

  const std::locale before = std::locale::global(std::locale(std::locale(), new Commas));

  EXPECT_EQ(heat_map_script(sample_map()), script);
  EXPECT_EQ(heat_map_data(sample_map()), data);
  std::locale::global(before);
}

TEST(HeatMapScript, ExplainsOnlyTheKindsThatOccur) {
  const std::string plain = script_of({made_up({})});
  EXPECT_THAT(plain, Not(HasSubstr("set label 'skipped'")));
  EXPECT_THAT(plain, Not(HasSubstr("set label 'failed'")));
  EXPECT_THAT(plain, Not(HasSubstr("set label 'error is 0'")));
  EXPECT_THAT(plain, Not(HasSubstr("set label 'not finite'")));
  EXPECT_THAT(plain, Not(HasSubstr("blank: not run")));

  EXPECT_THAT(script_of({made_up({}), made_up({.n = 8, .error = infinity})}),
              HasSubstr("set label 'not finite'"));
  EXPECT_THAT(script_of({made_up({}), made_up({.algorithm = "b", .n = 8})}),
              HasSubstr("blank: not run"));
}

TEST(HeatMapScript, NamesAPanelOfANumberByItsColumn) {
  FigureRequest request = by_mode;
  request.x = "mode";
  request.panel = "n";

  EXPECT_THAT(script_of({made_up({})}, request), HasSubstr("set label 'n = 64' at graph 0"));
}

TEST(HeatMapScript, HasOneColourScaleUnlessEachPanelIsToHaveItsOwn) {
  const std::vector<Row> rows = {
      made_up({.mode = "a", .error = 1e-3}), made_up({.mode = "a", .n = 8, .error = 1e-4}),
      made_up({.mode = "b", .error = 1e-8}), made_up({.mode = "b", .n = 8, .error = 1e-9})};
  FigureRequest own = by_mode;
  own.own_y_range = true;

  const std::string shared = script_of(rows);
  const std::string each = script_of(rows, own);

  EXPECT_THAT(shared, HasSubstr("set cbrange [1e-09:0.001]"));
  EXPECT_THAT(shared, HasSubstr("unset colorbox"));
  EXPECT_THAT(each, HasSubstr("set cbrange [0.0001:0.001]"));
  EXPECT_THAT(each, HasSubstr("set cbrange [1e-09:1e-08]"));
  EXPECT_THAT(each, Not(HasSubstr("unset colorbox")));
}

TEST(HeatMapScript, DrawsTheColourBarBesideAPanelWithoutAValue) {
  const std::string script =
      script_of({made_up({.mode = "a"}), skipped_row({.mode = "b"}, "no meaning")});
  const std::string last = script.substr(script.find("# b\n"));

  EXPECT_THAT(last, HasSubstr("set colorbox vertical"));
  EXPECT_THAT(last, HasSubstr(" lc palette"));
}

TEST(HeatMapScript, SlantsNamesThatDoNotFit) {
  FigureRequest request = by_mode;
  request.x = "mode";
  request.panel = "";

  EXPECT_THAT(script_of({made_up({.mode = "bf16_refined"})}, request), HasSubstr("rotate by 35"));
  EXPECT_THAT(script_of({made_up({.mode = "bf16"})}, request), Not(HasSubstr("rotate by 35")));
}

TEST(HeatMapScript, NeverLetsANameOutOfItsQuotesOrItsLine) {
  const std::vector<Row> rows = {made_up({.algorithm = "a'; system 'x", .mode = "b\nsystem 'y'"})};

  EXPECT_THAT(script_of(rows), HasSubstr("('a''; system ''x' 0)"));
  EXPECT_THAT(script_of(rows), Not(HasSubstr("\nsystem")));
  EXPECT_THAT(heat_map_data(gather_heat_map(rows, by_mode)), Not(HasSubstr("\nsystem")));
}

TEST(ColourScale, ReachesFromTheSmallestToTheLargestValue) {
  const ColourScale scale = scale_of({4e-7, 2e-8, 1e-7});

  EXPECT_TRUE(scale.logarithmic);
  EXPECT_EQ(scale.low, 2e-8);
  EXPECT_EQ(scale.high, 4e-7);
}

TEST(ColourScale, DoesNotMakeASmallDifferenceLookLarge) {
  EXPECT_DOUBLE_EQ(scale_of({4}).high / scale_of({4}).low, 2);
  EXPECT_DOUBLE_EQ(std::sqrt(scale_of({4}).high * scale_of({4}).low), 4);
  EXPECT_EQ(scale_of({4.25, 4.75}, "bits_l2").low, 4);
  EXPECT_EQ(scale_of({4.25, 4.75}, "bits_l2").high, 5);
}

TEST(ColourScale, IsLinearInBits) {
  EXPECT_FALSE(scale_of({-3, 20}, "bits_l2").logarithmic);
  EXPECT_THAT(colour_settings(scale_of({-3, 20}, "bits_l2")),
              HasSubstr("unset logscale cb\nset cbrange [-3:20]\n"
                        "shade(value) = (value - (-3))/(20 - (-3))\n"));
}

TEST(ColourTics, ArePowersOfTenOrFineOnAShortScale) {
  EXPECT_EQ(colour_tics({true, 2e-9, 3e-4}, 8),
            "('10^{-8}' 1e-8, '10^{-7}' 1e-7, '10^{-6}' 1e-6, '10^{-5}' 1e-5, '10^{-4}' 1e-4)");
  EXPECT_EQ(colour_tics({true, 2e-6, 1.5e-5}, 8),
            "('2·10^{-6}' 2e-6, '5·10^{-6}' 5e-6, '10^{-5}' 1e-5)");
  EXPECT_EQ(colour_tics({true, 0.3, 6}, 8), "('0.5' 5e-1, '1' 1e0, '2' 2e0, '5' 5e0)");
  EXPECT_EQ(colour_tics({false, 3.5, 11}, 4), "('4' 4, '6' 6, '8' 8, '10' 10)");
}

TEST(ColourTics, AreAsManyAsFit) {
  EXPECT_EQ(colour_tics({true, 1e-15, 1}, 8),
            "('10^{-14}' 1e-14, '10^{-12}' 1e-12, '10^{-10}' 1e-10, "
            "'10^{-8}' 1e-8, '10^{-6}' 1e-6, '10^{-4}' 1e-4, '0.01' 1e-2, '1' 1e0)");
  EXPECT_EQ(colour_tics({true, 2e-6, 1.5e-4}, 4), "('10^{-5}' 1e-5, '10^{-4}' 1e-4)");
  EXPECT_EQ(colour_tics({false, -8, 24}, 4), "('-8' -8, '0' 0, '8' 8, '16' 16, '24' 24)");
}

}  // namespace
}  // namespace fftprec

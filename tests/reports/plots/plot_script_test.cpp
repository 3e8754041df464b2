/// The gnuplot script and data of a figure: golden texts, and what they must hold.
#include "reports/plots/plot_script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <locale>

#include "reports/plots/plot_axes.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// Two seeds: two sizes in mode fast, one size in mode exact_mode with an error of zero.
Figure sample_figure() {
  std::vector<Row> rows;
  for (std::uint64_t n : {64u, 128u})
    for (std::uint64_t seed : {1u, 2u}) {
      rows.push_back(
          made_up({.n = n, .seed = seed, .error = std::ldexp(static_cast<double>(n * seed), -30)}));
      rows.back().expected_l2_rel = 1e-7;
    }
  for (std::uint64_t seed : {1u, 2u})
    rows.push_back(
        made_up({.mode = "exact_mode", .seed = seed, .error = 0, .bound = std::nullopt}));
  return gather(rows, {.name = "f", .title = "It's error"}, {{"mode", {"fast", "exact_mode"}}});
}

TEST(PlotData, HoldsOneBlockPerSeries) {
  EXPECT_EQ(
      plot_data(sample_figure()),
      R"(# err_l2_rel against n: transform fft, machine trn, tables exact, input gaussian; median and range over 2 seeds
# n median low high bound expected rows zeros; low is the smallest value that is not zero
# algorithm=radix2-dit mode=fast
64 8.940696716308594e-08 5.960464477539063e-08 1.1920928955078125e-07 1e-06 1e-07 2 0
128 1.7881393432617188e-07 1.1920928955078125e-07 2.384185791015625e-07 1e-06 1e-07 2 0


# algorithm=radix2-dit mode=exact_mode
64 0 0 0 - - 2 2
)");
}

TEST(PlotScript, IsTheGoldenText) {
  EXPECT_EQ(
      plot_script(sample_figure()),
      R"gp(# f: in this folder, `gnuplot f.gp` draws f.svg, `gnuplot -c f.gp png` draws f.png, or pdf f.pdf
data = 'f.dat'
if (exists('ARG1') && ARG1 eq 'png') {
  set terminal pngcairo size 1000,640 font 'sans,12' pointscale 1.4 background '#ffffff'
  set output 'f.png'
} else { if (exists('ARG1') && ARG1 eq 'pdf') {
  set terminal pdfcairo size 10.4167in,6.6667in font 'sans,12' fontscale 0.7 pointscale 1.1 linewidth 0.8 dashlength 0.6 background '#ffffff'
  set output 'f.pdf'
} else {
  set terminal svg size 1000,640 font 'sans-serif,12' fontscale 1.25 dashlength 0.6 background '#ffffff'
  set output 'f.svg'
} }
set encoding utf8
set datafile missing '-'
set border 3 lw 1 lc '#666666'
set tics nomirror textcolor '#333333' font ',10.5'
set tics scale 0.7,0.35
set grid ytics lt 1 lw 0.8 lc '#e6e6e6', lt 1 lw 0 lc '#ffffff'
set logscale x 2
set xrange [47.4074:172.8]
set xtics ('64' 2.0**6, '128' 2.0**7)
unset key
set multiplot

# radix2-dit
unset label
unset arrow
set label 'It''s error' at screen 0.09200, screen 0.95937 left noenhanced font ',15'
set label 'transform fft, machine trn, tables exact, input gaussian; median and range over 2 seeds' at screen 0.09200, screen 0.92188 left noenhanced font ',10.5' textcolor '#666666'
set lmargin at screen 0.09200
set rmargin at screen 0.75200
set bmargin at screen 0.09062
set tmargin at screen 0.85625
set label 'radix2-dit' at graph 0, graph 1 left offset 0.4,0.8 noenhanced textcolor '#222222'
floor = 2.512e-09
at(value) = value > 0 ? value : floor
set logscale y
set yrange [1.09648e-09:1.001e-06]
set ytics ('10^{-8}' 1e-8, '' 2e-8 1, '' 3e-8 1, '' 4e-8 1, '' 5e-8 1, '' 6e-8 1, '' 7e-8 1, '' 8e-8 1, '' 9e-8 1, '10^{-7}' 1e-7, '' 2e-7 1, '' 3e-7 1, '' 4e-7 1, '' 5e-7 1, '' 6e-7 1, '' 7e-7 1, '' 8e-7 1, '' 9e-7 1, '10^{-6}' 1e-6, 'exact' floor)
set arrow from graph 0, first 2.0**-24 to graph 1, first 2.0**-24 nohead back lw 1 lc '#bdbdbd'
set label 'u_{fp32}' at graph 1, first 2.0**-24 left offset 0.6,0 textcolor '#666666' font ',10.5'
set arrow from graph 0, first floor to graph 1, first floor nohead back lw 1 lc '#999999'
set xlabel 'transform length n' offset 0,0.2 noenhanced
set label 'relative error, 2-norm' at screen 0.02000, screen 0.47344 center rotate noenhanced
set key at screen 0.81200, screen 0.86875 left top Left reverse noenhanced samplen 2 spacing 1.25 font ',11' maxrows 5
plot \
  data index 0 using 1:(at($3)):(at($4)) with filledcurves fs transparent solid 0.16 noborder lc '#0072B2' notitle, \
  data index 0 using 1:5 with lines lw 1 dt (18,9) lc '#0072B2' notitle, \
  data index 0 using 1:6 with lines lw 1.5 dt (2,6) lc '#0072B2' notitle, \
  data index 0 using 1:(at($2)) with linespoints lt 1 lw 1.8 pt 7 ps 0.65 lc '#0072B2' notitle, \
  data index 1 using 1:(at($2)) with linespoints lt 1 lw 1.8 pt 6 ps 0.65 lc '#56B4E9' notitle, \
  keyentry with linespoints lt 1 lw 1.8 pt 7 ps 0.65 lc '#0072B2' title 'fast', \
  keyentry with linespoints lt 1 lw 1.8 pt 6 ps 0.65 lc '#56B4E9' title 'exact_mode', \
  keyentry with lines lt 1 lw 9 lc '#dddddd' title 'range', \
  keyentry with lines lw 1.5 dt (2,6) lc '#444444' title 'expected', \
  keyentry with lines lw 1 dt (18,9) lc '#444444' title 'worst-case bound'
unset multiplot
unset output
)gp");
}

TEST(PlotScript, IsTheSameUnderEveryLocale) {
  class Commas : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    std::string do_grouping() const override { return "\1"; }
  };
  const std::string script = plot_script(sample_figure());
  const std::string data = plot_data(sample_figure());

  const std::locale before = std::locale::global(std::locale(std::locale(), new Commas));

  EXPECT_EQ(plot_script(sample_figure()), script);
  EXPECT_EQ(plot_data(sample_figure()), data);
  std::locale::global(before);
}

/// One mode at the sizes and with the error given.
Figure figure_of_error(double error, const std::vector<std::uint64_t>& sizes = {64, 128}) {
  std::vector<Row> rows;
  for (const std::uint64_t n : sizes)
    rows.push_back(made_up({.n = n, .error = error, .bound = std::nullopt}));
  return gather(rows, {.name = "f", .title = "F"});
}

TEST(PlotScript, MarksTheUnitRoundoffsWithinItsRange) {
  const std::string wide = plot_script(figure_of_error(3e-8));

  EXPECT_THAT(wide, HasSubstr("u_{fp32}"));
  EXPECT_THAT(wide, Not(HasSubstr("u_{bf16}")));
  EXPECT_THAT(wide, Not(HasSubstr("u_{fp64}")));
}

TEST(PlotScript, HasAnExactLineOnlyIfSomethingIsExact) {
  EXPECT_THAT(plot_script(figure_of_error(0)), HasSubstr("'exact' floor"));
  EXPECT_THAT(plot_script(figure_of_error(1e-7)), Not(HasSubstr("exact' floor")));
}

TEST(PlotScript, MarksTheBoundWhereTheErrorIsDividedByIt) {
  const Figure figure =
      gather(std::vector{made_up({})}, {.name = "f", .title = "F", .y = err_over_bound});

  EXPECT_THAT(plot_script(figure), HasSubstr("set label 'bound' at graph 1, first 1 "));
}

TEST(PlotScript, LeavesTheLogarithmAwayForBits) {
  Row row = made_up({});
  row.bits_l2 = 23.5;

  const std::string script =
      plot_script(gather(std::vector{row}, {.name = "f", .title = "F", .y = "bits_l2"}));

  EXPECT_THAT(script, Not(HasSubstr("set logscale y")));
  EXPECT_THAT(script, HasSubstr("set ytics ('0' 0, '4' 4, "));
}

TEST(PlotScript, WritesNoNumberThatGnuplotTakesForInfinity) {
  for (const double least : {1e-3, 1e300}) {
    const std::vector<Row> rows = {made_up({.error = least, .bound = std::nullopt}),
                                   made_up({.n = 128, .error = 1.5e308, .bound = std::nullopt})};

    const YAxis axis = y_axis(gather(rows, {.name = "f", .title = "F"}));

    EXPECT_GE(axis.high, 1.5e308);
    EXPECT_TRUE(std::isfinite(axis.high));
    for (const Tic& tic : axis.tics)
      EXPECT_TRUE(std::isfinite(std::strtod(tic.at.c_str(), nullptr)));
  }
}

TEST(PlotScript, GivesEachSeriesItsOwnColourAndShape) {
  std::vector<Row> rows;
  for (const char* mode : {"a", "b", "c", "d", "e", "f", "g", "h"})
    rows.push_back(made_up({.mode = mode}));

  const std::string script = plot_script(gather(rows, {.name = "f", .title = "F"}));

  for (const char* colour :
       {"#0072B2", "#56B4E9", "#000000", "#D55E00", "#E69F00", "#CC79A7", "#009E73", "#7F7F7F"})
    EXPECT_THAT(script, HasSubstr(std::string("ps 0.65 lc '") + colour + "' title"));
  for (const char* shape : {"pt 7 ", "pt 6 ", "pt 5 ", "pt 9 ", "pt 8 ", "pt 13 ", "pt 11 "})
    EXPECT_THAT(script, HasSubstr(std::string("keyentry with linespoints lt 1 lw 1.8 ") + shape));
}

TEST(PlotScript, NeverLetsANameOutOfItsQuotes) {
  std::vector<Row> rows = {made_up({.mode = "a'; system 'date"})};

  const std::string script = plot_script(gather(rows, {.name = "f", .title = "F"}));

  EXPECT_THAT(script, HasSubstr("title 'a''; system ''date'"));
}

TEST(PlotScript, NeverLetsANameEndAComment) {
  const std::vector<Row> rows = {made_up({.algorithm = "a\nsystem 'date'"})};
  const Figure figure = gather(rows, {.name = "f", .title = "F"});

  EXPECT_THAT(plot_script(figure), Not(HasSubstr("\nsystem")));
  EXPECT_THAT(plot_data(figure), Not(HasSubstr("\nsystem")));
}

TEST(PlotScript, DrawsWhiskersWhereABandWouldHaveNoWidth) {
  const std::vector<Row> rows = {made_up({.seed = 1}), made_up({.seed = 2, .error = 2e-7})};

  const std::string script = plot_script(gather(rows, {.name = "f", .title = "F"}));

  EXPECT_THAT(script, HasSubstr("with yerrorbars"));
  EXPECT_THAT(script, Not(HasSubstr("with filledcurves")));
}

TEST(PlotScript, GivesEachPanelItsOwnRangeIfAsked) {
  const std::vector<Row> rows = {
      made_up({.algorithm = "a", .error = 3e-3, .bound = std::nullopt}),
      made_up({.algorithm = "b", .error = 3e-13, .bound = std::nullopt})};
  FigureRequest request{.name = "f", .title = "F"};

  const std::string shared = plot_script(gather(rows, request));
  request.own_y_range = true;
  const std::string own = plot_script(gather(rows, request));

  EXPECT_THAT(shared, HasSubstr("set yrange [9.99001e-14:0.01001]"));
  EXPECT_THAT(own, Not(HasSubstr("set yrange [9.99001e-14:0.01001]")));
  EXPECT_THAT(own, HasSubstr("set yrange [0.000999001:0.1001]"));
  EXPECT_THAT(own, HasSubstr("set yrange [9.99001e-14:1.001e-11]"));
}

TEST(XAxis, LabelsPowersOfTwo) {
  EXPECT_EQ(tic_list(x_axis(figure_of_error(1, {64, 128, 256}), 8).tics),
            "('64' 2.0**6, '128' 2.0**7, '256' 2.0**8)");
}

TEST(XAxis, LabelsAtMostAsManyAsFit) {
  EXPECT_EQ(tic_list(x_axis(figure_of_error(1, {1, 2, 4, 8, 16, 32}), 3).tics),
            "('1' 2.0**0, '' 2.0**1 1, '4' 2.0**2, '' 2.0**3 1, '16' 2.0**4, '' 2.0**5 1)");
}

TEST(XAxis, CoversSizesThatAreNoPowersOfTwo) {
  EXPECT_EQ(tic_list(x_axis(figure_of_error(1, {100, 500}), 8).tics),
            "('64' 2.0**6, '128' 2.0**7, '256' 2.0**8, '512' 2.0**9)");
}

TEST(YAxis, LabelsAtMostTenPowersOfTen) {
  std::vector<Row> rows = {made_up({.n = 64, .error = 3e-16}), made_up({.n = 128, .error = 0.5})};

  const YAxis axis = y_axis(gather(rows, {.name = "f", .title = "F"}));

  EXPECT_EQ(axis.tics.front().at, "1e-16");
  EXPECT_EQ(axis.tics.back().at, "1e0");
  EXPECT_EQ(axis.tics.back().label, "10^{0}");
  const auto labelled = std::count_if(axis.tics.begin(), axis.tics.end(),
                                      [](const Tic& tic) { return !tic.label.empty(); });
  EXPECT_LE(labelled, 10);
  EXPECT_GE(labelled, 6);
}

TEST(PlotScript, DrawsManyBandsFainterThanFew) {
  const auto script = [](const std::vector<std::string>& modes) {
    std::vector<Row> rows;
    for (const std::string& mode : modes)
      for (const std::uint64_t n : {8u, 16u})
        for (const std::uint64_t seed : {1u, 2u})
          rows.push_back(made_up(
              {.mode = mode, .n = n, .seed = seed, .error = 1e-7 * static_cast<double>(seed)}));
    return plot_script(gather(rows, {.name = "f", .title = "F"}));
  };

  EXPECT_THAT(script({"a", "b", "c", "d"}), HasSubstr("solid 0.16 noborder"));
  EXPECT_THAT(script({"a", "b", "c", "d", "e"}), HasSubstr("solid 0.07 noborder"));
}

}  // namespace
}  // namespace fftprec

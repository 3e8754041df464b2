/// The one back end, judged by what a reader of the XML sees: places, labels, tips, and that no
/// text is cut or covered.
#include "reports/figures/svg.hpp"

#include <gmock/gmock.h>

#include <clocale>

#include "reports/figures/kinds.hpp"
#include "tests/support/figure_rows.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/hostile_locale.hpp"
#include "tests/support/svg.hpp"

namespace fftprec::figures {
namespace {

using ::testing::Contains;
using testing::elements_of;
using testing::holds;
using testing::lacks;
using testing::SvgElement;
using testing::text_problem;
using testing::texts_of;

Figure drawn(const FigureRequest& request, const std::vector<Row>& rows = testing::figure_rows()) {
  return draw_all(rows, {&request, 1}, {}).at(0);
}

std::vector<Figure> figures_of_every_kind() {
  std::vector<Figure> figures;
  for (const char* kind : {"lines", "heatmap", "cost", "histogram"})
    figures.push_back(drawn({.name = "f",
                             .title = "A <b> & c",
                             .x = kind == std::string("cost") ? "real_multiplications" : "",
                             .kind = kind}));
  return figures;
}

/// One panel from 1 to 100 and 1e-4 to 1, both logarithmic, with these layers.
Figure plain(std::vector<Layer> layers) {
  Figure figure{.name = "f", .title = "T", .panels = {{}}};
  figure.panels[0].x = {.logarithmic = true, .low = 1, .high = 100, .label = "x"};
  figure.panels[0].y = {.logarithmic = true, .low = 1e-4, .high = 1, .label = "y"};
  figure.panels[0].x.ticks = decade_ticks(0, 2);
  figure.panels[0].y.ticks = decade_ticks(-4, 0);
  figure.panels[0].layers = std::move(layers);
  return figure;
}

TEST(SvgDocument, StandsAloneAndTellsNothingOfMarkupInNames) {
  for (const Figure& figure : figures_of_every_kind()) {
    const std::string svg = svg_document(figure);
    EXPECT_THAT(svg, holds("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"").but_not("<b>"));
    EXPECT_THAT(svg, lacks("var(--")) << "librsvg knows no variables";
    EXPECT_THAT(svg, holds("prefers-color-scheme:dark").but_not("nan"));
    EXPECT_THAT(texts_of(svg), Contains("A <b> & c"));
  }
}

TEST(SvgDocument, CutsAndCoversNoText) {
  for (const Figure& figure : figures_of_every_kind())
    EXPECT_EQ(text_problem(svg_document(figure)), "");
}

TEST(SvgDocument, MakesRoomForLongNames) {
  std::vector<Row> rows;
  for (const char* mode : {"fp32", "bf16"})
    for (const char* machine :
         {"trn{accumulate.order=pairwise,psum=bf16,k_tile=32}", "a", "trn{<&\"'>}"})
      for (const std::uint64_t n : {8u, 4096u, 1u << 20}) {
        rows.push_back(
            made_up({.algorithm = "an-algorithm-of-a-rather-long-name", .mode = mode, .n = n}));
        rows.back().where.set(&Case::machine, machine);
      }
  const FigureRequest lines{
      .name = "l", .title = std::string(200, 'W'), .series = "machine", .panel = "mode"};
  const FigureRequest map{.name = "h",
                          .title = "T",
                          .x = "machine",
                          .series = "algorithm",
                          .panel = "mode",
                          .kind = "heatmap"};
  for (const FigureRequest& request : {lines, map}) {
    const std::string svg = svg_document(drawn(request, rows));
    EXPECT_EQ(text_problem(svg), "") << request.kind;
    EXPECT_THAT(texts_of(svg), Contains("trn{<&\"'>}"));
  }
}

TEST(SvgDocument, PutsMarksWhereTheirNumbersAre) {
  const std::string svg = svg_document(plain({{.form = Form::line,
                                               .part = "median",
                                               .mark = Mark::disc,
                                               .spots = {{.x = 1, .y = 1e-4, .tip = "first"},
                                                         {.x = 10, .y = 1e-2, .tip = "middle"},
                                                         {.x = 100, .y = 1, .tip = "<last>"}}}}));

  const std::vector<SvgElement> marks = elements_of(svg, "use", "median");
  ASSERT_EQ(marks.size(), 3u);
  EXPECT_NEAR(marks[1].number("x"), (marks[0].number("x") + marks[2].number("x")) / 2, 0.01);
  EXPECT_NEAR(marks[1].number("y"), (marks[0].number("y") + marks[2].number("y")) / 2, 0.01);
  EXPECT_GT(marks[2].number("x"), marks[0].number("x")) << "larger to the right";
  EXPECT_LT(marks[2].number("y"), marks[0].number("y")) << "and higher";
  EXPECT_EQ(marks[1].title, "middle");
  EXPECT_EQ(marks[2].title, "<last>");
  for (const SvgElement& text : elements_of(svg, "text")) {
    if (text.text == "101") {
      EXPECT_NEAR(text.number("x"), marks[1].number("x"), 0.01);
    }
    if (text.text == "10-2") {
      EXPECT_NEAR(text.number("y") - 4.5, marks[1].number("y"), 0.01);
    }
  }
  EXPECT_THAT(texts_of(svg), Contains("101"));
}

TEST(SvgDocument, DrawsNoMarkOutsideOfItsPanel) {
  const std::string svg = svg_document(plain({{.form = Form::points,
                                               .part = "median",
                                               .mark = Mark::disc,
                                               .spots = {{.x = 10, .y = 1e-2},
                                                         {.x = 1e6, .y = 1e-2},
                                                         {.x = 10, .y = 1e9},
                                                         {.x = 10, .y = 0}}}}));
  EXPECT_EQ(elements_of(svg, "use", "median").size(), 1u)
      << "what is 0 has no place on an axis without a line for it";
}

TEST(SvgDocument, PutsZerosOnTheLineOfExactResults) {
  Figure figure = plain(
      {{.form = Form::points, .part = "median", .mark = Mark::disc, .spots = {{.x = 10, .y = 0}}}});
  Range range;
  range.add(1e-3);
  figure.panels[0].y = decades(range, "y", true, "exact");

  const std::string svg = svg_document(figure);

  const double at = elements_of(svg, "use", "median").at(0).number("y");
  bool labelled = false;
  for (const SvgElement& text : elements_of(svg, "text"))
    if (text.text == "exact") {
      labelled = true;
      EXPECT_NEAR(text.number("y") - 4.5, at, 0.01);
    }
  EXPECT_TRUE(labelled);
}

TEST(SvgDocument, LabelsAsManyTicksAsFitAndMarksBetweenThemOnlyWhereThereIsRoom) {
  const auto labels = [](int last) {
    Figure figure = plain({});
    Range range;
    range.add(1);
    range.add(std::pow(10.0, last));
    figure.panels[0].y = decades(range, "y", false, "");
    std::size_t count = 0;
    for (const std::string& text : texts_of(svg_document(figure)))
      count += text.starts_with("10") && text != "101" && text != "102" ? 1 : 0;
    EXPECT_EQ(text_problem(svg_document(figure)), "") << last;
    return count;
  };
  EXPECT_GE(labels(6), 4u);
  EXPECT_GE(labels(40), 8u);
  EXPECT_LE(labels(40), 24u);
  EXPECT_GE(labels(300), 8u);
}

TEST(SvgDocument, LabelsEveryRuleBesideItsNeighbours) {
  Figure figure = plain({});
  std::vector<std::string> names = {"ue5m2", "ue4m3", "ubf16", "ufp16, tf32", "ufp32", "ufp64"};
  for (const auto& [low, high] : {std::pair{1e-17, 1.0}, {1e-4, 1e130}}) {
    if (high > 1) names.resize(4);
    Range range;
    range.add(low);
    range.add(high);
    figure.panels[0].y = decades(range, "y", false, "");
    add_roundoffs(figure.panels[0].y);
    for (const Size size : {Size{500, 460}, Size{460, 370}, Size{460, 200}}) {
      const std::string svg = svg_element(figure, 0, size);
      EXPECT_EQ(text_problem(svg), "");
      std::vector<std::string> labels;
      for (const SvgElement& text : elements_of(svg, "text"))
        if (text.text.starts_with("u")) {
          labels.push_back(text.text);
          EXPECT_LE(text.y + text.number("y"), size.height - 40) << "beside the frame";
        }
      EXPECT_EQ(labels, names);
    }
  }
}

TEST(SvgDocument, DrawsEverySeriesWithBandBoundAndExpectedValue) {
  const std::string svg = svg_document(drawn({.name = "f", .title = "T"}));
  const auto groups = [&svg](std::string_view part) {
    std::size_t count = 0;
    for (const SvgElement& group : elements_of(svg, "g"))
      count += group.at("class").starts_with("curve " + std::string(part) + " ") ? 1 : 0;
    return count;
  };
  for (const char* part : {"median", "bound", "expected", "range"})
    EXPECT_EQ(groups(part), 4u) << part;
  EXPECT_EQ(elements_of(svg, "use", "median").size(), 8u) << "4 curves of 2 lengths";
}

TEST(SvgDocument, TellsOfEveryMarkWhatItIsOnHovering) {
  for (const Figure& figure : figures_of_every_kind()) {
    std::size_t told = 0;
    const std::string svg = svg_document(figure);
    for (const char* name : {"use", "rect"})
      for (const SvgElement& mark : elements_of(svg, name, "curve")) {
        EXPECT_NE(mark.title, "");
        ++told;
      }
    EXPECT_GT(told, 2u);
  }
}

TEST(SvgDocument, DrawsACellPerCaseAndABarPerBin) {
  const std::string map = svg_document(
      drawn({.name = "f", .title = "T", .y = "bits_l2", .series = "mode", .kind = "heatmap"}));
  EXPECT_EQ(elements_of(map, "rect", "cells").size(), 8u);
  std::size_t twenty = 0;
  for (const std::string& text : texts_of(map)) twenty += text == "20.0" ? 1 : 0;
  EXPECT_EQ(twenty, 7u);
  const std::string histogram =
      svg_document(drawn({.name = "f", .title = "T", .kind = "histogram"}));
  EXPECT_EQ(elements_of(histogram, "rect", "bars").size(), 3u)
      << "one in each of three panels: error / bound = 0.1";
  EXPECT_THAT(texts_of(histogram), Contains("16 rows, 2 exact"));
}

TEST(SvgDocument, GivesTheSameBytesUnderEveryLocale) {
  std::vector<std::string> texts;
  for (const Figure& figure : figures_of_every_kind()) texts.push_back(svg_document(figure));

  const testing::HostileLocale hostile;

  std::size_t i = 0;
  for (const Figure& figure : figures_of_every_kind()) EXPECT_EQ(svg_document(figure), texts[i++]);
}

TEST(SvgDocument, GivesEachPanelItsTicksIfAsked) {
  const auto names = [](bool own) {
    const std::string svg = svg_document(drawn({.name = "f", .title = "T", .own_y_range = own}));
    std::size_t count = 0;
    for (const std::string& text : texts_of(svg)) count += text == "relative error, 2-norm" ? 1 : 0;
    return count;
  };
  EXPECT_EQ(names(false), 1u);
  EXPECT_EQ(names(true), 2u);
}

TEST(SvgElement, FillsItsCanvasAndHasGroupsThatAScriptFinds) {
  const Figure figure = drawn({.name = "f", .title = "T"});
  for (const Size size : {Size{500, 370}, Size{360, 270}, Size{240, 200}}) {
    const std::string svg = svg_element(figure, 1, size);
    EXPECT_EQ(text_problem(svg), "") << size.width;
    EXPECT_EQ(elements_of(svg, "svg").at(0).at("viewBox"),
              "0 0 " + std::to_string(size.width) + " " + std::to_string(size.height));
    EXPECT_EQ(elements_of(svg, "svg").at(0).at("aria-label"), "T: radix2-dit");
    EXPECT_THAT(svg, holds("<g class=\"curve bound c1\" data-series=\"1\" "
                           "data-where=\"mode=fp32\"><title>fp32: worst-case bound</title>",
                           "data-where=\"n=64\"><title>algorithm radix2-dit, mode fp32, n 64"));
    EXPECT_THAT(svg, lacks(" id=\"")) << "a page has many of these";
  }
}

TEST(MarkShapes, HaveEveryMarkOfASeriesAndTheOthers) {
  std::set<std::string> shapes;
  for (const SvgElement& shape : elements_of(mark_shapes(), "path"))
    if (!shape.at("id").empty()) shapes.insert(shape.at("id"));  // else it hatches
  EXPECT_EQ(shapes.size(), 11u);
  for (std::size_t style = 0; style < 72; ++style) {
    const std::string shape = "m" + std::to_string(static_cast<int>(series_mark(style)));
    EXPECT_TRUE(shapes.contains(shape));
    EXPECT_EQ(elements_of(swatch(series_entry("", style).sample), "use").at(0).at("href"),
              "#" + shape);
  }
}

}  // namespace
}  // namespace fftprec::figures

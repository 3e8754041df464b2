/// The kinds of plots by name, and what a run is drawn as.
#include "reports/figures/kinds.hpp"

#include <gmock/gmock.h>

#include "arith/support/error.hpp"
#include "experiments/cases/seed_reduction.hpp"
#include "reports/figures/curves.hpp"
#include "tests/support/figure_rows.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::figures {
namespace {

using ::testing::ElementsAre;
using testing::names_of;
using testing::on_machine;

/// Rows that a kind of plot can draw.
std::vector<Row> rows_for(const std::string& kind) {
  std::vector<Row> rows = testing::figure_rows();
  if (kind != "tail") return rows;
  SeedReduction reduction(default_summarised_metrics());
  reduction.add(rows.front());
  return {reduction.row()};
}

TEST(PlotKinds, AllDrawWhatTheOptionsAskFor) {
  for (const std::string& name : plot_kind_names()) {
    const FigureRequest request = plot_kind_named(name).completed({.kind = name});
    EXPECT_EQ(request.kind, name);
    const std::vector<Figure> figures = draw_all(rows_for(name), {&request, 1}, {});
    EXPECT_EQ(figures.size(), name == "cost" ? 3u : 1u) << name;
    for (const Figure& figure : figures) {
      EXPECT_NE(figure.name, "");
      EXPECT_NE(figure.title, "");
      EXPECT_FALSE(figure.panels.empty());
    }
    EXPECT_TRUE(draw_all({}, {&request, 1}, {}).empty()) << name;
  }
}

TEST(PlotKinds, RefuseOptionsThatTheyHaveNoUseFor) {
  EXPECT_THROW(completed({.series = "mode", .kind = "cost"}), InputError);
  EXPECT_THROW(completed({.kind = "cost", .own_y_range = true}), InputError);
  EXPECT_THROW(completed({.x = "n", .kind = "histogram"}), InputError);
  EXPECT_THROW(completed({.x = "n", .kind = "spectrum"}), InputError);
}

TEST(DrawAll, GivesEveryFigureAFileNameOfItsOwn) {
  const std::string longest(3000, 'a');
  const FigureRequest requests[] = {
      {.name = "a"}, {.name = "a_2"}, {.name = "a"}, {.name = longest}, {.name = longest}};
  std::vector<std::string> names;
  for (const Figure& figure : draw_all(testing::figure_rows(), requests, {}))
    names.push_back(figure.name);
  const std::string shortened(100, 'a');
  EXPECT_THAT(names, ElementsAre("a", "a_2", "a_3", shortened, shortened + "_2"));
}

TEST(DefaultFigures, CompareTheAxesThatHaveSeveralValues) {
  const std::vector<Row> rows = {
      on_machine("trn", {.algorithm = "dft-gemm"}), on_machine("ieee", {.algorithm = "dft-gemm"}),
      on_machine("trn", {.input = "tone"}), on_machine("trn", {.input = "gaussian"})};

  EXPECT_THAT(names_of(default_figures(rows)),
              ElementsAre("error_vs_n", "error_over_bound", "error_over_bound_histogram", "",
                          "machine_dft-gemm", "input_radix2-dit"));
}

TEST(DefaultFigures, CompareOnlyModesThatHaveSeveralValues) {
  const std::vector<Row> rows = {on_machine("trn", {.mode = "bf16"}),
                                 on_machine("ieee", {.mode = "bf16"}),
                                 on_machine("trn", {.mode = "fp32"})};

  const FigureRequest request = default_figures(rows).at(4);
  const Curves figure = gather_curves(rows, request);

  ASSERT_EQ(figure.panels.size(), 1u);
  EXPECT_EQ(figure.panels[0].name, "bf16");
  EXPECT_THAT(names_of(figure.legend), ElementsAre("ieee", "trn"));
}

TEST(Completed, NamesFilesByTheTitle) {
  const FigureRequest request = completed({.title = "dft-gemm: error / Length"});

  EXPECT_EQ(request.name, "dft-gemm_error_length");
  EXPECT_EQ(request.title, "dft-gemm: error / Length");
}

TEST(Completed, SpreadsRowsOutAsTheKindHasIt) {
  const FigureRequest map = completed({.kind = "heatmap"});
  EXPECT_EQ(map.x + " " + map.series + " " + map.panel, "n algorithm mode");
  EXPECT_EQ(completed({.x = "mode", .kind = "heatmap"}).panel, "n");
  EXPECT_EQ(completed({}).panel, "algorithm");
  EXPECT_EQ(completed({.panel = "none"}).panel, "");
  EXPECT_EQ(completed({.series = "algorithm"}).panel, "mode");
  EXPECT_EQ(completed({}).title, "err_l2_rel against n, by mode");
  EXPECT_EQ(completed({.x = "batch", .series = "input"}).title,
            "err_l2_rel against batch, by input");
}

}  // namespace
}  // namespace fftprec::figures

/// fftprec plot: exit codes and files; and the plots and summary that a run leaves.
#include <gmock/gmock.h>

#include <filesystem>

#include "experiments/support/files.hpp"
#include "reports/text/summary.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/no_programs.hpp"
#include "tests/support/one_command.hpp"
#include "tests/support/read_csv.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::commands {
namespace {

using testing::exits;
using testing::holds;
using testing::lacks;
using testing::Words;

namespace fs = std::filesystem;

class PlotCommand : public testing::OneCommand {
 protected:
  PlotCommand() {
    write_rows({made_up({}), made_up({.mode = "bf16", .error = 1e-3}), made_up({.n = 128})});
  }

  testing::Outcome plot(Words arguments) {
    arguments.insert(arguments.begin(), {"plot", directory_.path().string()});
    return run(std::move(arguments));
  }
};

TEST_F(PlotCommand, DrawsTheDefaultFiguresIntoTheRun) {
  EXPECT_THAT(plot({"--format", "svg"}), exits(0));
  EXPECT_EQ(out_, (directory_ / "plots/error_vs_n.svg").string() + "\n" +
                      (directory_ / "plots/error_over_bound.svg").string() + "\n" +
                      (directory_ / "plots/error_over_bound_histogram.svg").string() + "\n")
      << "nothing is published of what these rows cost";
  EXPECT_TRUE(fs::exists(directory_ / "plots/error_vs_n.svg"));
}

TEST_F(PlotCommand, DrawsTheFigureThatIsAskedFor) {
  const std::string to = (directory_ / "elsewhere").string();

  EXPECT_THAT(plot({"--format", "svg", "-o", to, "--series", "algorithm", "-f", "mode=fp32"}),
              exits(0));
  EXPECT_EQ(out_, to + "/err_l2_rel_vs_n_by_algorithm.svg\n");
}

TEST_F(PlotCommand, ChoosesThePanelsOfAHeatMapThatHasModesAcrossOrDown) {
  const std::string to = (directory_ / "elsewhere").string();

  EXPECT_THAT(plot({"--format", "svg", "-o", to, "--kind", "heatmap", "--x", "mode", "--y",
                    "err_over_bound"}),
              exits(0));
  EXPECT_THAT(read_file(fs::path(to) / "heatmap_err_over_bound_algorithm_by_mode.svg"),
              holds(">n = 128</text>"));
  EXPECT_THAT(plot({"--format", "svg", "-o", to, "--kind", "heatmap", "--series", "mode"}),
              exits(0));
  EXPECT_THAT(read_file(fs::path(to) / "heatmap_err_l2_rel_mode_by_n.svg"),
              holds(">radix2-dit</text>"));
  EXPECT_THAT(plot({"--format", "svg", "-o", to, "--kind", "heatmap", "--panel", "none", "-f",
                    "mode=fp32"}),
              exits(0));
  EXPECT_THAT(read_file(fs::path(to) / "heatmap_err_l2_rel_algorithm_by_n.svg"),
              lacks(">fp32</text>"));
}

TEST_F(PlotCommand, GivesEachPanelItsOwnScaleIfAsked) {
  const std::string to = (directory_ / "elsewhere").string();
  const auto bars = [&to] {
    const std::string svg = read_file(fs::path(to) / "heatmap_err_l2_rel_algorithm_by_n.svg");
    std::size_t count = 0;  // of the fields of colour bars
    for (std::size_t at = 0; (at = svg.find("crispEdges", at)) != std::string::npos; ++at) ++count;
    return count / 32;
  };

  EXPECT_THAT(plot({"--format", "svg", "-o", to, "--kind", "heatmap", "--scale", "panel"}),
              exits(0));
  EXPECT_EQ(bars(), 2u);
  EXPECT_THAT(plot({"--format", "svg", "-o", to, "--kind", "heatmap", "--scale", "shared"}),
              exits(0));
  EXPECT_EQ(bars(), 1u);
}

TEST_F(PlotCommand, DrawsErrorAgainstEachCostOrTheOneThatIsAskedFor) {
  const std::string to = (directory_ / "elsewhere").string();
  std::vector<Row> rows = {made_up({.algorithm = "dft-gemm"}),
                           made_up({.algorithm = "dft-gemm", .mode = "bf16", .error = 1e-3})};
  for (Row& row : rows) {
    row.matmul_passes = 4;
    row.real_multiplications = 100;
  }
  write_rows(rows);

  EXPECT_THAT(plot({"--format", "svg", "-o", to, "--kind", "cost"}), exits(0));
  EXPECT_EQ(out_, to + "/err_l2_rel_vs_matmul_passes.svg\n" + to +
                      "/err_l2_rel_vs_real_multiplications.svg\n" + to +
                      "/err_l2_rel_vs_published_us.svg\n");
  EXPECT_THAT(plot({"--format", "svg", "-o", to, "--kind", "cost", "--x", "real_multiplications"}),
              exits(0));
  EXPECT_EQ(out_, to + "/err_l2_rel_vs_real_multiplications.svg\n");
  EXPECT_THAT(plot({"--kind", "cost", "--x", "real_mult"}),
              exits(2).err("did you mean 'real_multiplications'?"));
  EXPECT_THAT(plot({"--kind", "cost", "--x", "time_ns"}),
              exits(4).err("holds no measured row for a figure of kind cost"));
}

TEST_F(PlotCommand, DrawsTheHistogramAndRefusesAxesForIt) {
  const std::string to = (directory_ / "elsewhere").string();

  EXPECT_THAT(plot({"--format", "svg", "-o", to, "--kind", "histogram"}), exits(0));
  EXPECT_EQ(out_, to + "/error_over_bound_histogram.svg\n");
  EXPECT_THAT(plot({"--kind", "histogram", "--x", "n"}), exits(2).err("kind histogram takes no x"));
  EXPECT_THAT(plot({"--kind", "cost", "--series", "mode"}),
              exits(2).err("kind cost takes no series"));
}

TEST_F(PlotCommand, ExitsWith2IfAnImageIsMissingAndWritesTheSvgs) {
  const testing::NoPrograms none;

  EXPECT_THAT(plot({"--format", "svg"}), exits(0)) << "needs no other program";
  EXPECT_THAT(plot({}), exits(2)) << "png";
  EXPECT_THAT(plot({"--format", "pdf"}),
              exits(2).err("'rsvg-convert' was not found: install the package librsvg2-bin"));
  EXPECT_THAT(read_file(directory_ / "plots/error_vs_n.svg"), holds(">bf16</text>"));
}

TEST_F(PlotCommand, ExitsWith2OnUnknownNames) {
  EXPECT_THAT(plot({"--format", "pn"}),
              exits(2).err(holds("did you mean 'png'?", "known: svg, png, pdf")));
  EXPECT_THAT(plot({"--y", "err_l2"}), exits(2));
  EXPECT_THAT(plot({"--y", "err_over_bond"}),
              exits(2).err("unknown column of numbers 'err_over_bond'; did you mean "
                           "'err_over_bound'?; known: n, batch, seed, err_l2_rel, "));
  EXPECT_THAT(plot({"--x", "mode"}), exits(2));
  EXPECT_THAT(plot({"--series", "mod"}), exits(2));
  EXPECT_THAT(plot({"-f", "mod=fp32"}), exits(2));
  EXPECT_THAT(plot({"--kind", "heat"}),
              exits(2).err("unknown plot kind 'heat'; did you mean 'heatmap'?; known: lines, "));
  EXPECT_THAT(plot({"--kind", "heatmap", "--y", "err_over_expect"}),
              exits(2).err("did you mean 'err_over_expected'?"));
  EXPECT_THAT(plot({"--kind", "heatmap", "--scale", "pannel"}),
              exits(2).err("unknown scale 'pannel'; did you mean 'panel'?"));
  EXPECT_THAT(plot({"--kind", "heatmap", "--x", "algorithm"}),
              exits(2).err("three different columns: across algorithm, down algorithm"));
}

TEST_F(PlotCommand, ExitsWith4IfNoRowIsLeft) {
  EXPECT_THAT(plot({"-f", "mode=ozaki"}),
              exits(4).err("holds no measured row that matches mode=ozaki\n"));
  EXPECT_THAT(plot({"--kind", "heatmap", "-f", "mode=ozaki"}), exits(4));
  write_rows({});
  EXPECT_THAT(plot({}), exits(4).err("holds no measured row\n"));
}

TEST_F(PlotCommand, LinksPlotsFromTheSummaryRelativeToIt) {
  const std::vector<fs::path> plots = {directory_ / "plots/a.png"};

  text::write_summary(directory_.path(), testing::read_csv(directory_ / "results.csv"), {}, plots);

  EXPECT_THAT(read_file(directory_ / "summary.md"), holds("![a](<plots/a.png>)"));
}

}  // namespace
}  // namespace fftprec::commands

/// fftprec plot: exit codes and files; and the plots and summary that a run leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "experiments/support/files.hpp"
#include "reports/commands/run_outputs.hpp"
#include "reports/results/csv.hpp"
#include "reports/text/summary.hpp"
#include "tests/support/one_command.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::commands {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

class PlotCommand : public testing::OneCommand {
 protected:
  PlotCommand() {
    write_rows({made_up({}), made_up({.mode = "bf16", .error = 1e-3}), made_up({.n = 128})});
  }

  int plot(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"plot", directory_.path().string()});
    return run(std::move(arguments));
  }
};

/// PATH for the length of a test.
class Path {
 public:
  explicit Path(const char* value) : before_(std::getenv("PATH")) { setenv("PATH", value, 1); }
  ~Path() { setenv("PATH", before_.c_str(), 1); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

 private:
  std::string before_;
};

TEST_F(PlotCommand, DrawsTheDefaultFiguresIntoTheRun) {
  EXPECT_EQ(plot({"--format", "svg"}), 0) << err_;
  EXPECT_EQ(out_, (directory_ / "plots/error_vs_n.svg").string() + "\n" +
                      (directory_ / "plots/error_over_bound.svg").string() + "\n" +
                      (directory_ / "plots/error_over_bound_histogram.svg").string() + "\n")
      << "nothing is published of what these rows cost";
  EXPECT_TRUE(fs::exists(directory_ / "plots/error_vs_n.svg"));
}

TEST_F(PlotCommand, DrawsTheFigureThatIsAskedFor) {
  const std::string to = (directory_ / "elsewhere").string();

  EXPECT_EQ(plot({"--format", "svg", "-o", to, "--series", "algorithm", "-f", "mode=fast"}), 0);
  EXPECT_EQ(out_, to + "/err_l2_rel_vs_n_by_algorithm.svg\n");
}

TEST_F(PlotCommand, DrawsAHeatMap) {
  const std::string to = (directory_ / "elsewhere").string();

  EXPECT_EQ(plot({"--format", "svg", "-o", to, "--kind", "heatmap"}), 0) << err_;

  EXPECT_EQ(out_, to + "/heatmap_err_l2_rel_algorithm_by_n.svg\n");
  const std::string data = read_file(fs::path(to) / "heatmap_err_l2_rel_algorithm_by_n.svg");
  EXPECT_THAT(data, HasSubstr(">fast</text>"));
  EXPECT_THAT(data, HasSubstr(">bf16</text>"));
}

TEST_F(PlotCommand, ChoosesThePanelsOfAHeatMapThatHasModesAcrossOrDown) {
  const std::string to = (directory_ / "elsewhere").string();

  EXPECT_EQ(plot({"--format", "svg", "-o", to, "--kind", "heatmap", "--x", "mode", "--y",
                  "err_over_bound"}),
            0);
  EXPECT_THAT(read_file(fs::path(to) / "heatmap_err_over_bound_algorithm_by_mode.svg"),
              HasSubstr(">n = 128</text>"));
  EXPECT_EQ(plot({"--format", "svg", "-o", to, "--kind", "heatmap", "--series", "mode"}), 0);
  EXPECT_THAT(read_file(fs::path(to) / "heatmap_err_l2_rel_mode_by_n.svg"),
              HasSubstr(">radix2-dit</text>"));
  EXPECT_EQ(plot({"--format", "svg", "-o", to, "--kind", "heatmap", "--panel", "none", "-f",
                  "mode=fast"}),
            0);
  EXPECT_THAT(read_file(fs::path(to) / "heatmap_err_l2_rel_algorithm_by_n.svg"),
              Not(HasSubstr(">fast</text>")));
}

TEST_F(PlotCommand, GivesEachPanelItsOwnScaleIfAsked) {
  const std::string to = (directory_ / "elsewhere").string();
  const auto bars = [&to] {
    const std::string svg = read_file(fs::path(to) / "heatmap_err_l2_rel_algorithm_by_n.svg");
    std::size_t count = 0;  // of the fields of colour bars
    for (std::size_t at = 0; (at = svg.find("crispEdges", at)) != std::string::npos; ++at) ++count;
    return count / 32;
  };

  EXPECT_EQ(plot({"--format", "svg", "-o", to, "--kind", "heatmap", "--scale", "panel"}), 0);
  EXPECT_EQ(bars(), 2u);
  EXPECT_EQ(plot({"--format", "svg", "-o", to, "--kind", "heatmap", "--scale", "shared"}), 0);
  EXPECT_EQ(bars(), 1u);
}

TEST_F(PlotCommand, DrawsErrorAgainstEachCostOrTheOneThatIsAskedFor) {
  const std::string to = (directory_ / "elsewhere").string();
  std::vector<Row> rows = {made_up({.algorithm = "dft-gemm"}),
                           made_up({.algorithm = "dft-gemm", .mode = "bf16", .error = 1e-3})};
  for (Row& row : rows) {
    row.matmul_passes = 4;
    row.mac_count = 100;
  }
  write_rows(rows);

  EXPECT_EQ(plot({"--format", "svg", "-o", to, "--kind", "cost"}), 0) << err_;
  EXPECT_EQ(out_, to + "/err_l2_rel_vs_matmul_passes.svg\n" + to +
                      "/err_l2_rel_vs_mac_count.svg\n" + to + "/err_l2_rel_vs_published_us.svg\n");
  EXPECT_EQ(plot({"--format", "svg", "-o", to, "--kind", "cost", "--x", "mac_count"}), 0);
  EXPECT_EQ(out_, to + "/err_l2_rel_vs_mac_count.svg\n");
  EXPECT_EQ(plot({"--format", "svg", "-o", to, "--kind", "cost", "--x", "published_us"}), 0);
  EXPECT_EQ(out_, to + "/err_l2_rel_vs_published_us.svg\n");
  EXPECT_EQ(plot({"--kind", "cost", "--x", "mac"}), 2);
  EXPECT_THAT(err_, HasSubstr("did you mean 'mac_count'?"));
  EXPECT_EQ(plot({"--kind", "cost", "--x", "time_ns"}), 4);
  EXPECT_THAT(err_, HasSubstr("holds no measured row for a figure of kind cost"));
}

TEST_F(PlotCommand, DrawsTheHistogramAndRefusesAxesForIt) {
  const std::string to = (directory_ / "elsewhere").string();

  EXPECT_EQ(plot({"--format", "svg", "-o", to, "--kind", "histogram"}), 0) << err_;
  EXPECT_EQ(out_, to + "/error_over_bound_histogram.svg\n");
  EXPECT_EQ(plot({"--kind", "histogram", "--x", "n"}), 2);
  EXPECT_THAT(err_, HasSubstr("kind histogram takes no x"));
  EXPECT_EQ(plot({"--kind", "cost", "--series", "mode"}), 2);
  EXPECT_THAT(err_, HasSubstr("kind cost takes no series"));
}

TEST_F(PlotCommand, ExitsWith2IfAnImageIsMissingAndWritesTheSvgs) {
  const Path nothing("/no/such/folder");

  EXPECT_EQ(plot({"--format", "svg"}), 0) << "needs no other program";
  EXPECT_EQ(plot({}), 2) << "png";
  EXPECT_EQ(plot({"--format", "pdf"}), 2);
  EXPECT_THAT(err_, HasSubstr("'rsvg-convert' was not found: install the package librsvg2-bin"));
  EXPECT_THAT(read_file(directory_ / "plots/error_vs_n.svg"), HasSubstr(">bf16</text>"));
}

TEST_F(PlotCommand, ExitsWith2OnUnknownNames) {
  EXPECT_EQ(plot({"--format", "pn"}), 2);
  EXPECT_THAT(err_, HasSubstr("did you mean 'png'?"));
  EXPECT_THAT(err_, HasSubstr("known: svg, png, pdf"));
  for (const char* gone : {"gnuplot", "vega-lite"}) {
    EXPECT_EQ(plot({"--format", gone}), 2);
    EXPECT_THAT(err_, HasSubstr("known: svg, png, pdf"));
  }
  EXPECT_EQ(plot({"--y", "err_l2"}), 2);
  EXPECT_EQ(plot({"--y", "err_over_bond"}), 2);
  EXPECT_THAT(err_, HasSubstr("unknown column of numbers 'err_over_bond'; did you mean "
                              "'err_over_bound'?; known: n, batch, seed, err_l2_rel, "));
  EXPECT_EQ(plot({"--x", "mode"}), 2);
  EXPECT_EQ(plot({"--series", "mod"}), 2);
  EXPECT_EQ(plot({"-f", "mod=fast"}), 2);
  EXPECT_EQ(plot({"--kind", "heat"}), 2);
  EXPECT_THAT(err_, HasSubstr("unknown plot kind 'heat'; did you mean 'heatmap'?; known: lines, "
                              "heatmap, cost, histogram, spectrum"));
  EXPECT_EQ(plot({"--kind", "heatmap", "--y", "err_over_expect"}), 2);
  EXPECT_THAT(err_, HasSubstr("did you mean 'err_over_expected'?"));
  EXPECT_EQ(plot({"--kind", "heatmap", "--scale", "pannel"}), 2);
  EXPECT_THAT(err_, HasSubstr("unknown scale 'pannel'; did you mean 'panel'?"));
  EXPECT_EQ(plot({"--kind", "heatmap", "--x", "algorithm"}), 2);
  EXPECT_THAT(err_, HasSubstr("three different columns: across algorithm, down algorithm"));
}

TEST_F(PlotCommand, ExitsWith4IfNoRowIsLeft) {
  EXPECT_EQ(plot({"-f", "mode=ozaki"}), 4);
  EXPECT_THAT(err_, HasSubstr("holds no measured row that matches mode=ozaki\n"));
  EXPECT_EQ(plot({"--kind", "heatmap", "-f", "mode=ozaki"}), 4);
  write_rows({});
  EXPECT_EQ(plot({}), 4);
  EXPECT_THAT(err_, HasSubstr("holds no measured row\n"));
}

TEST_F(PlotCommand, LeavesARunItsSvgsIfRsvgConvertIsMissing) {
  const Path nothing("/no/such/folder");
  constexpr figures::ImageFormat formats[] = {figures::ImageFormat::png};
  const FigureRequest own[] = {{.title = "Own figure"},
                               {.title = "Own map", .series = "algorithm", .kind = "heatmap"}};

  const figures::ImageFiles files = write_run_plots(results::read_csv(directory_ / "results.csv"),
                                                    own, directory_.path(), formats);

  EXPECT_THAT(files.problem, HasSubstr("not found"));
  EXPECT_TRUE(fs::exists(directory_ / "own_figure.svg"));
  EXPECT_THAT(read_file(directory_ / "own_map.svg"), HasSubstr("Own map"));
  EXPECT_TRUE(fs::exists(directory_ / "error_vs_n.svg"));
}

TEST_F(PlotCommand, LinksPlotsFromTheSummaryRelativeToIt) {
  const std::vector<fs::path> plots = {directory_ / "plots/a.png"};

  text::write_summary(directory_.path(), results::read_csv(directory_ / "results.csv"), {}, plots);

  EXPECT_THAT(read_file(directory_ / "summary.md"), HasSubstr("![a](<plots/a.png>)"));
}

}  // namespace
}  // namespace fftprec::commands

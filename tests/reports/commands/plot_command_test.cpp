/// fftprec plot: exit codes and files; and the plots and summary that a run leaves.
#include "reports/commands/plot_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "arith/error.hpp"
#include "experiments/files.hpp"
#include "reports/commands/exit_code.hpp"
#include "reports/results/csv.hpp"
#include "reports/summary/summary.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

class PlotCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = fs::path(::testing::TempDir()) /
                 ("fftprec_plot_" + std::to_string(getpid()) + "_" + test->name());
    fs::create_directories(directory_);
    write_rows({made_up({}), made_up({.mode = "bf16", .error = 1e-3}), made_up({.n = 128})});
  }
  void TearDown() override { fs::remove_all(directory_); }

  void write_rows(const std::vector<Row>& rows) const {
    std::ofstream stream(directory_ / "results.csv", std::ios::binary);
    write_csv(stream, rows);
  }

  /// Runs `fftprec plot DIR ...`; an InputError is what the program turns into exit code 2.
  int plot(std::vector<std::string> arguments) {
    CLI::App app;
    std::ostringstream out;
    std::ostringstream err;
    CommandContext context{out, err, 0};
    add_plot_command(app, context);
    arguments.insert(arguments.begin(), {"plot", directory_.string()});
    std::reverse(arguments.begin(), arguments.end());
    try {
      app.parse(arguments);
    } catch (const InputError& error) {
      err << error.what();
      context.exit_code = to_int(ExitCode::usage);
    }
    out_ = out.str();
    err_ = err.str();
    return context.exit_code;
  }

  fs::path directory_;
  std::string out_;
  std::string err_;
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
  EXPECT_EQ(plot({"--format", "gnuplot"}), 0) << err_;
  EXPECT_EQ(out_, (directory_ / "plots/error_vs_n.gp").string() + "\n" +
                      (directory_ / "plots/error_over_bound.gp").string() + "\n");
  EXPECT_TRUE(fs::exists(directory_ / "plots/error_vs_n.dat"));
}

TEST_F(PlotCommand, DrawsTheFigureThatIsAskedFor) {
  const std::string to = (directory_ / "elsewhere").string();

  EXPECT_EQ(plot({"--format", "gnuplot", "-o", to, "--series", "algorithm", "-f", "mode=fast"}), 0);
  EXPECT_EQ(out_, to + "/err_l2_rel_vs_n_by_algorithm.gp\n");
}

TEST_F(PlotCommand, DrawsAHeatMap) {
  const std::string to = (directory_ / "elsewhere").string();

  EXPECT_EQ(plot({"--format", "gnuplot", "-o", to, "--kind", "heatmap"}), 0) << err_;

  EXPECT_EQ(out_, to + "/heatmap_err_l2_rel_algorithm_by_n.gp\n");
  const std::string data = read_file(fs::path(to) / "heatmap_err_l2_rel_algorithm_by_n.dat");
  EXPECT_THAT(data, HasSubstr("# mode=fast\n"));
  EXPECT_THAT(data, HasSubstr("# mode=bf16\n"));
}

TEST_F(PlotCommand, ChoosesThePanelsOfAHeatMapThatHasModesAcrossOrDown) {
  const std::string to = (directory_ / "elsewhere").string();

  EXPECT_EQ(plot({"--format", "gnuplot", "-o", to, "--kind", "heatmap", "--x", "mode", "--y",
                  "err_over_bound"}),
            0);
  EXPECT_THAT(read_file(fs::path(to) / "heatmap_err_over_bound_algorithm_by_mode.dat"),
              HasSubstr("# n=128\n"));
  EXPECT_EQ(plot({"--format", "gnuplot", "-o", to, "--kind", "heatmap", "--series", "mode"}), 0);
  EXPECT_THAT(read_file(fs::path(to) / "heatmap_err_l2_rel_mode_by_n.dat"),
              HasSubstr("# algorithm=radix2-dit\n"));
  EXPECT_EQ(plot({"--format", "gnuplot", "-o", to, "--kind", "heatmap", "--panel", "none", "-f",
                  "mode=fast"}),
            0);
  EXPECT_THAT(read_file(fs::path(to) / "heatmap_err_l2_rel_algorithm_by_n.dat"),
              HasSubstr("# all\n"));
}

TEST_F(PlotCommand, GivesEachPanelItsOwnScaleIfAsked) {
  const std::string to = (directory_ / "elsewhere").string();

  EXPECT_EQ(plot({"--format", "gnuplot", "-o", to, "--kind", "heatmap", "--scale", "panel"}), 0);
  EXPECT_THAT(read_file(fs::path(to) / "heatmap_err_l2_rel_algorithm_by_n.gp"),
              Not(HasSubstr("unset colorbox")));
  EXPECT_EQ(plot({"--format", "gnuplot", "-o", to, "--kind", "heatmap", "--scale", "shared"}), 0);
  EXPECT_THAT(read_file(fs::path(to) / "heatmap_err_l2_rel_algorithm_by_n.gp"),
              HasSubstr("unset colorbox"));
  EXPECT_EQ(plot({"--format", "gnuplot", "-o", to, "--scale", "panel", "--panel", "mode",
                  "--series", "algorithm"}),
            0);
  EXPECT_THAT(read_file(fs::path(to) / "err_l2_rel_vs_n_by_algorithm.gp"),
              HasSubstr("set yrange [9.99001e-08:1.001e-05]"))
      << "of mode fast alone";
}

TEST_F(PlotCommand, ExitsWith2IfGnuplotIsMissing) {
  const Path nothing("/no/such/folder");

  EXPECT_EQ(plot({}), 2);
  EXPECT_THAT(err_, HasSubstr("'gnuplot' was not found"));
  EXPECT_TRUE(fs::exists(directory_ / "plots/error_vs_n.gp"));
}

TEST_F(PlotCommand, ExitsWith2OnUnknownNames) {
  EXPECT_EQ(plot({"--format", "pn"}), 2);
  EXPECT_THAT(err_, HasSubstr("did you mean 'png'?"));
  EXPECT_EQ(plot({"--y", "err_l2"}), 2);
  EXPECT_EQ(plot({"--y", "err_over_bond"}), 2);
  EXPECT_THAT(err_, HasSubstr("unknown column of numbers 'err_over_bond'; did you mean "
                              "'err_over_bound'?; known: n, batch, seed, err_l2_rel, "));
  EXPECT_EQ(plot({"--x", "mode"}), 2);
  EXPECT_EQ(plot({"--series", "mod"}), 2);
  EXPECT_EQ(plot({"-f", "mod=fast"}), 2);
  EXPECT_EQ(plot({"--kind", "heat"}), 2);
  EXPECT_THAT(err_, HasSubstr("unknown plot kind 'heat'; did you mean 'heatmap'?; known: lines, "
                              "heatmap"));
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

TEST_F(PlotCommand, LeavesARunItsScriptsIfGnuplotIsMissing) {
  const Path nothing("/no/such/folder");
  const PlotFormat formats[] = {PlotFormat::png};
  const PlotSpec own[] = {{.title = "Own figure", .filter = ""},
                          {.kind = "heatmap", .title = "Own map", .series = "algorithm"}};

  const PlotFiles files =
      write_run_plots(read_csv(directory_ / "results.csv"), own, directory_, formats);

  EXPECT_THAT(files.problem, HasSubstr("not found"));
  EXPECT_TRUE(fs::exists(directory_ / "own_figure.gp"));
  EXPECT_THAT(read_file(directory_ / "own_map.gp"), HasSubstr("palette"));
  EXPECT_TRUE(fs::exists(directory_ / "error_vs_n.gp"));
}

TEST_F(PlotCommand, LinksPlotsFromTheSummaryRelativeToIt) {
  const std::vector<fs::path> plots = {directory_ / "plots/a.png"};

  write_summary(directory_, read_csv(directory_ / "results.csv"), {}, plots);

  EXPECT_THAT(read_file(directory_ / "summary.md"), HasSubstr("![a](<plots/a.png>)"));
}

}  // namespace
}  // namespace fftprec

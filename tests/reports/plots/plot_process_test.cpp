/// Figures as files: images where gnuplot is there, scripts and a message where it is not.
#include "reports/plots/plot_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "arith/support/error.hpp"
#include "experiments/support/files.hpp"
#include "reports/plots/plot_draw.hpp"
#include "reports/plots/plot_figure.hpp"
#include "reports/plots/plot_heatmap_script.hpp"
#include "reports/plots/plot_script.hpp"
#include "tests/support/figure_rows.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

namespace fs = std::filesystem;

class WriteDrawings : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = fs::path(::testing::TempDir()) /
                 ("fftprec plot " + std::to_string(getpid()) + " " + test->name());
  }
  void TearDown() override { fs::remove_all(directory_); }

  /// A stand-in for gnuplot.
  std::string program(const std::string& script) {
    fs::create_directories(directory_);
    const fs::path path = directory_ / "program";
    std::ofstream(path) << "#!/bin/sh\n" << script;
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }

  static std::vector<Row> rows() { return {made_up({}), made_up({.n = 128, .error = 0})}; }

  static Drawing lines() {
    const Figure figure = gather(rows(), {.name = "f", .title = "F"});
    return {"f", plot_data(figure), plot_script(figure)};
  }

  /// Cells of every kind.
  static Drawing heat_map() {
    std::vector<Row> all = rows();
    all.push_back(skipped_row({.n = 3}, "n is no power of two"));
    all.push_back(failed_row({.n = 4}, "memory"));
    all.push_back(made_up({.n = 5, .error = std::numeric_limits<double>::infinity()}));
    const HeatMap map =
        gather_heat_map(all, {.name = "h", .title = "H", .series = "algorithm", .panel = "mode"});
    return {"h", heat_map_data(map), heat_map_script(map)};
  }

  static bool has_gnuplot() { return std::system("command -v gnuplot >/dev/null 2>&1") == 0; }

  fs::path directory_;
  std::vector<Drawing> drawings_ = {lines()};
};

TEST_F(WriteDrawings, WritesDataScriptAndImages) {
  ASSERT_TRUE(has_gnuplot()) << "gnuplot is not in PATH: install it (Debian: gnuplot-nox)";
  const PlotFormat formats[] = {PlotFormat::svg, PlotFormat::png};

  const PlotFiles files = write_drawings(drawings_, directory_, formats);

  EXPECT_EQ(files.problem, "");
  EXPECT_EQ(files.written, (std::vector<fs::path>{directory_ / "f.svg", directory_ / "f.png"}));
  EXPECT_EQ(read_file(directory_ / "f.dat"), drawings_[0].data);
  EXPECT_EQ(read_file(directory_ / "f.gp"), drawings_[0].script);
  EXPECT_THAT(read_file(directory_ / "f.png"), StartsWith("\x89PNG"));
  EXPECT_THAT(read_file(directory_ / "f.svg"), HasSubstr("exact"));
}

TEST_F(WriteDrawings, DrawsTheSameBytesTwice) {
  ASSERT_TRUE(has_gnuplot()) << "gnuplot is not in PATH: install it (Debian: gnuplot-nox)";
  const PlotFormat formats[] = {PlotFormat::svg, PlotFormat::png};

  write_drawings(drawings_, directory_ / "a", formats);
  write_drawings(drawings_, directory_ / "b", formats);

  EXPECT_EQ(read_file(directory_ / "a/f.svg"), read_file(directory_ / "b/f.svg"));
  EXPECT_EQ(read_file(directory_ / "a/f.png"), read_file(directory_ / "b/f.png"));
}

TEST_F(WriteDrawings, SaysThatGnuplotIsMissingAndLeavesTheScripts) {
  const PlotFormat formats[] = {PlotFormat::svg, PlotFormat::png};

  const PlotFiles files = write_drawings(drawings_, directory_, formats, "no-such-gnuplot");

  EXPECT_THAT(files.problem, HasSubstr("'no-such-gnuplot' was not found: install gnuplot"));
  EXPECT_THAT(files.written, IsEmpty());
  EXPECT_TRUE(fs::exists(directory_ / "f.gp"));
  EXPECT_TRUE(fs::exists(directory_ / "f.dat"));
}

TEST_F(WriteDrawings, ShowsWhatAFailingGnuplotSays) {
  const PlotFormat formats[] = {PlotFormat::svg};

  const PlotFiles files = write_drawings(drawings_, directory_, formats,
                                         program("echo 'line 3: no terminal' >&2; exit 1\n"));

  EXPECT_THAT(files.problem, HasSubstr("line 3: no terminal"));
}

TEST_F(WriteDrawings, RunsTheScriptInItsFolderWithTheFormat) {
  const PlotFormat formats[] = {PlotFormat::png};

  write_drawings(drawings_, directory_, formats, program("echo \"$PWD $*\" > called\n"));

  EXPECT_EQ(read_file(directory_ / "called"), directory_.string() + " -c f.gp png\n");
}

TEST_F(WriteDrawings, NeedsNoGnuplotForScripts) {
  const PlotFormat formats[] = {PlotFormat::gnuplot};

  const PlotFiles files = write_drawings(drawings_, directory_, formats, "no-such-gnuplot");

  EXPECT_EQ(files.problem, "");
  EXPECT_EQ(files.written, std::vector<fs::path>{directory_ / "f.gp"});
}

TEST_F(WriteDrawings, DrawsEveryKindOfCellWithoutAWarning) {
  ASSERT_TRUE(has_gnuplot()) << "gnuplot is not in PATH: install it (Debian: gnuplot-nox)";
  const PlotFormat formats[] = {PlotFormat::svg, PlotFormat::png};
  drawings_ = {heat_map()};

  const PlotFiles files = write_drawings(drawings_, directory_, formats);

  EXPECT_EQ(files.problem, "");
  const std::string svg = read_file(directory_ / "h.svg");
  for (const char* text : {">1.0e-7<", ">exact<", ">s<", ">x<", ">inf<", ">skipped<", ">failed<"})
    EXPECT_THAT(svg, HasSubstr(text));
  const std::string log = (directory_ / "log").string();
  const std::string again =
      "cd '" + directory_.string() + "' && gnuplot -c h.gp svg 2>'" + log + "'";
  EXPECT_EQ(std::system(again.c_str()), 0);
  EXPECT_EQ(read_file(log), "") << "gnuplot warns of a cell without a place or a colour";
}

TEST_F(WriteDrawings, DrawsEveryKindOfFigureInEveryFormatWithoutAWarning) {
  ASSERT_TRUE(has_gnuplot()) << "gnuplot is not in PATH: install it (Debian: gnuplot-nox)";
  const PlotFormat formats[] = {PlotFormat::svg, PlotFormat::png, PlotFormat::pdf,
                                PlotFormat::gnuplot, PlotFormat::vega_lite};
  const std::vector<FigureRequest> requests = {
      {.name = "l", .title = "L"},
      {.name = "h", .title = "H", .panel = "input", .kind = PlotKind::heatmap},
      {.name = "c", .title = "C", .x = "mac_count", .kind = PlotKind::cost},
      {.name = "b", .title = "B", .kind = PlotKind::histogram}};
  const std::string warn =
      program("gnuplot \"$@\" 2>warnings || exit 1\n[ ! -s warnings ] || exit 2\n");

  const PlotFiles files =
      write_drawings(draw_all(testing::figure_rows(), requests, {}), directory_, formats, warn);

  EXPECT_EQ(files.problem, "");
  EXPECT_FALSE(files.missing);
  EXPECT_EQ(files.written.size(), 20u);
  for (const char* name : {"l", "h", "c", "b"}) {
    EXPECT_THAT(read_file(directory_ / (name + std::string(".svg"))), HasSubstr("</svg>"));
    EXPECT_THAT(read_file(directory_ / (name + std::string(".png"))), StartsWith("\x89PNG"));
    EXPECT_THAT(read_file(directory_ / (name + std::string(".pdf"))), StartsWith("%PDF"));
    EXPECT_THAT(read_file(directory_ / (name + std::string(".vl.json"))), StartsWith("{"));
  }
}

TEST_F(WriteDrawings, RefusesAFolderThatCannotBeMade) {
  const PlotFormat formats[] = {PlotFormat::gnuplot};

  EXPECT_THROW(write_drawings(drawings_, "/dev/null/plots", formats), InputError);
}

TEST(PlotFormatNamed, RefusesAnUnknownName) {
  EXPECT_EQ(plot_format_named("png"), PlotFormat::png);
  EXPECT_THROW(plot_format_named("pgn"), InputError);
}

}  // namespace
}  // namespace fftprec

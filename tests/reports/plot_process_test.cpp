/// Figures as files: images where gnuplot is there, scripts and a message where it is not.
#include "reports/plot_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "arith/error.hpp"
#include "experiments/files.hpp"
#include "gate_rows.hpp"
#include "reports/plot_script.hpp"

namespace fftprec {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

namespace fs = std::filesystem;

class WriteFigures : public ::testing::Test {
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

  static bool has_gnuplot() { return std::system("command -v gnuplot >/dev/null 2>&1") == 0; }

  fs::path directory_;
  std::vector<Figure> figures_ = {gather(std::vector{made_up({}), made_up({.n = 128, .error = 0})},
                                         {.name = "f", .title = "F"})};
};

TEST_F(WriteFigures, WritesDataScriptAndImages) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  const PlotFormat formats[] = {PlotFormat::svg, PlotFormat::png};

  const PlotFiles files = write_figures(figures_, directory_, formats);

  EXPECT_EQ(files.problem, "");
  EXPECT_EQ(files.written, (std::vector<fs::path>{directory_ / "f.svg", directory_ / "f.png"}));
  EXPECT_EQ(read_file(directory_ / "f.dat"), plot_data(figures_[0]));
  EXPECT_EQ(read_file(directory_ / "f.gp"), plot_script(figures_[0]));
  EXPECT_THAT(read_file(directory_ / "f.png"), StartsWith("\x89PNG"));
  EXPECT_THAT(read_file(directory_ / "f.svg"), HasSubstr("exact"));
}

TEST_F(WriteFigures, DrawsTheSameBytesTwice) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  const PlotFormat formats[] = {PlotFormat::svg, PlotFormat::png};

  write_figures(figures_, directory_ / "a", formats);
  write_figures(figures_, directory_ / "b", formats);

  EXPECT_EQ(read_file(directory_ / "a/f.svg"), read_file(directory_ / "b/f.svg"));
  EXPECT_EQ(read_file(directory_ / "a/f.png"), read_file(directory_ / "b/f.png"));
}

TEST_F(WriteFigures, SaysThatGnuplotIsMissingAndLeavesTheScripts) {
  const PlotFormat formats[] = {PlotFormat::svg, PlotFormat::png};

  const PlotFiles files = write_figures(figures_, directory_, formats, "no-such-gnuplot");

  EXPECT_THAT(files.problem, HasSubstr("'no-such-gnuplot' was not found: install gnuplot"));
  EXPECT_THAT(files.written, IsEmpty());
  EXPECT_TRUE(fs::exists(directory_ / "f.gp"));
  EXPECT_TRUE(fs::exists(directory_ / "f.dat"));
}

TEST_F(WriteFigures, ShowsWhatAFailingGnuplotSays) {
  const PlotFormat formats[] = {PlotFormat::svg};

  const PlotFiles files = write_figures(figures_, directory_, formats,
                                        program("echo 'line 3: no terminal' >&2; exit 1\n"));

  EXPECT_THAT(files.problem, HasSubstr("line 3: no terminal"));
}

TEST_F(WriteFigures, RunsTheScriptInItsFolderWithTheFormat) {
  const PlotFormat formats[] = {PlotFormat::png};

  write_figures(figures_, directory_, formats, program("echo \"$PWD $*\" > called\n"));

  EXPECT_EQ(read_file(directory_ / "called"), directory_.string() + " -c f.gp png\n");
}

TEST_F(WriteFigures, NeedsNoGnuplotForScripts) {
  const PlotFormat formats[] = {PlotFormat::gnuplot};

  const PlotFiles files = write_figures(figures_, directory_, formats, "no-such-gnuplot");

  EXPECT_EQ(files.problem, "");
  EXPECT_EQ(files.written, std::vector<fs::path>{directory_ / "f.gp"});
}

TEST_F(WriteFigures, LeavesOutAFigureWithoutPanels) {
  const PlotFormat formats[] = {PlotFormat::gnuplot};
  figures_[0].panels.clear();

  EXPECT_THAT(write_figures(figures_, directory_, formats).written, IsEmpty());
}

TEST_F(WriteFigures, RefusesAFolderThatCannotBeMade) {
  const PlotFormat formats[] = {PlotFormat::gnuplot};

  EXPECT_THROW(write_figures(figures_, "/dev/null/plots", formats), InputError);
}

TEST(PlotFormatNamed, RefusesAnUnknownName) {
  EXPECT_EQ(plot_format_named("png"), PlotFormat::png);
  EXPECT_THROW(plot_format_named("pgn"), InputError);
}

}  // namespace
}  // namespace fftprec

/// fftprec report: exit codes, messages and files.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/support/fragments.hpp"
#include "tests/support/markup.hpp"
#include "tests/support/no_programs.hpp"
#include "tests/support/one_command.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::commands {
namespace {

using testing::exits;
using testing::holds;
using testing::nothing;
using testing::text_of;
using testing::Words;

class ReportCommand : public testing::OneCommand {
 protected:
  ReportCommand() {
    write_rows({made_up({}), made_up({.mode = "bf16", .error = 1e-3}), made_up({.n = 128})});
  }

  bool exists(const std::string& name) const { return std::filesystem::exists(directory_ / name); }

  testing::Outcome report(Words arguments) {
    arguments.insert(arguments.begin(), {"report", directory_.path().string()});
    return run(std::move(arguments));
  }
};

TEST_F(ReportCommand, WritesThePageBesideTheRows) {
  EXPECT_THAT(report({}), exits(0));

  EXPECT_EQ(out_, (directory_ / "report.html").string() + "\n");
  EXPECT_EQ(testing::markup_problem(text_of(directory_ / "report.html")), "");
}

TEST_F(ReportCommand, GivesTheSameBytesEveryTime) {
  EXPECT_THAT(report({}), exits(0));
  const std::string first = text_of(directory_ / "report.html");
  EXPECT_THAT(report({}), exits(0));
  EXPECT_EQ(text_of(directory_ / "report.html"), first);
}

TEST_F(ReportCommand, WritesOnlyWhatIsAskedFor) {
  EXPECT_THAT(report({"--markdown", directory_ / "a.md", "--latex", directory_ / "a.tex"}),
              exits(0));
  EXPECT_FALSE(exists("report.html"));
  EXPECT_THAT(text_of(directory_ / "a.md"), holds("# Summary of a run of fftprec"));
  EXPECT_THAT(text_of(directory_ / "a.tex"), holds("\\toprule"));

  EXPECT_THAT(report({"--latex", directory_ / "b.tex", "-o", directory_ / "b.html"}), exits(0));
  EXPECT_TRUE(exists("b.tex"));
  EXPECT_TRUE(exists("b.html"));
}

TEST_F(ReportCommand, NeedsNoOtherProgram) {
  const testing::NoPrograms none;

  EXPECT_THAT(report({}), exits(0).err(nothing));
  EXPECT_THAT(text_of(directory_ / "report.html"), holds("class=\"curve median c"));
}

TEST_F(ReportCommand, ShowsFailedGatesWithoutFailing) {
  write("gates.toml",
        "[[gate]]\nname = \"budget\"\nkind = \"max\"\nmetric = \"err_l2_rel\"\nsource = "
        "\"x\"\nlimit = 1e-5\n");

  EXPECT_THAT(report({"-g", directory_ / "gates.toml"}), exits(0));

  EXPECT_THAT(text_of(directory_ / "report.html"), holds("0 of 1 gates pass"));
}

TEST_F(ReportCommand, ExitsWith5IfABaselineIsMissingAndWritesAllTheSame) {
  write("gates.toml",
        "[[gate]]\nname = \"kept\"\nkind = \"hash\"\nsource = \"x\"\nbaseline = \"none.csv\"\n");

  EXPECT_THAT(report({"-g", directory_ / "gates.toml"}), exits(5).err("none.csv"));
  EXPECT_TRUE(exists("report.html"));
}

TEST_F(ReportCommand, ExitsWith4IfThereAreNoRows) {
  write_rows({});
  EXPECT_THAT(report({}), exits(4).err("holds no rows\n"));
  EXPECT_FALSE(exists("report.html"));
}

TEST_F(ReportCommand, ExitsWith2OnFilesThatCannotBeReadOrWritten) {
  EXPECT_THAT(report({"-o", directory_ / "none/report.html"}),
              exits(2).err("none/report.html: cannot be written"));
}

}  // namespace
}  // namespace fftprec::commands

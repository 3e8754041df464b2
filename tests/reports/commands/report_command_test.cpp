/// fftprec report: exit codes, messages and files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "reports/results/csv.hpp"
#include "tests/support/markup.hpp"
#include "tests/support/one_command.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::commands {
namespace {

using ::testing::HasSubstr;
using testing::text_of;

class ReportCommand : public testing::OneCommand {
 protected:
  ReportCommand() {
    write_rows({made_up({}), made_up({.mode = "bf16", .error = 1e-3}), made_up({.n = 128})});
  }

  bool exists(const std::string& name) const { return std::filesystem::exists(directory_ / name); }

  int report(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"report", directory_.path().string()});
    return run(std::move(arguments));
  }
};

/// PATH for the length of a test.
class NoPath {
 public:
  NoPath() : before_(std::getenv("PATH")) { setenv("PATH", "/no/such/folder", 1); }
  ~NoPath() { setenv("PATH", before_.c_str(), 1); }
  NoPath(const NoPath&) = delete;
  NoPath& operator=(const NoPath&) = delete;

 private:
  std::string before_;
};

TEST_F(ReportCommand, WritesThePageBesideTheRows) {
  EXPECT_EQ(report({}), 0) << err_;

  EXPECT_EQ(out_, (directory_ / "report.html").string() + "\n");
  EXPECT_EQ(testing::markup_problem(text_of(directory_ / "report.html")), "");
}

TEST_F(ReportCommand, GivesTheSameBytesEveryTime) {
  EXPECT_EQ(report({}), 0);
  const std::string first = text_of(directory_ / "report.html");
  EXPECT_EQ(report({}), 0);
  EXPECT_EQ(text_of(directory_ / "report.html"), first);
}

TEST_F(ReportCommand, WritesOnlyWhatIsAskedFor) {
  EXPECT_EQ(report({"--markdown", directory_ / "a.md", "--latex", directory_ / "a.tex"}), 0);
  EXPECT_FALSE(exists("report.html"));
  EXPECT_THAT(text_of(directory_ / "a.md"), HasSubstr("# Summary of a run of fftprec"));
  EXPECT_THAT(text_of(directory_ / "a.tex"), HasSubstr("\\toprule"));

  EXPECT_EQ(report({"--latex", directory_ / "b.tex", "-o", directory_ / "b.html"}), 0);
  EXPECT_TRUE(exists("b.tex"));
  EXPECT_TRUE(exists("b.html"));
}

TEST_F(ReportCommand, NeedsNoOtherProgram) {
  const NoPath nothing;

  EXPECT_EQ(report({}), 0);

  EXPECT_EQ(err_, "");
  EXPECT_THAT(text_of(directory_ / "report.html"), HasSubstr("class=\"curve median c"));
}

TEST_F(ReportCommand, ShowsFailedGatesWithoutFailing) {
  write("gates.toml",
        "[[gate]]\nname = \"budget\"\nkind = \"max\"\nmetric = \"err_l2_rel\"\nsource = "
        "\"x\"\nlimit = 1e-5\n");

  EXPECT_EQ(report({"-g", directory_ / "gates.toml"}), 0) << err_;

  EXPECT_THAT(text_of(directory_ / "report.html"), HasSubstr("0 of 1 gates pass"));
}

TEST_F(ReportCommand, ExitsWith5IfABaselineIsMissingAndWritesAllTheSame) {
  write("gates.toml",
        "[[gate]]\nname = \"kept\"\nkind = \"hash\"\nsource = \"x\"\nbaseline = \"none.csv\"\n");

  EXPECT_EQ(report({"-g", directory_ / "gates.toml"}), 5);

  EXPECT_THAT(err_, HasSubstr("none.csv"));
  EXPECT_TRUE(exists("report.html"));
}

TEST_F(ReportCommand, ExitsWith4IfThereAreNoRows) {
  write_rows({});
  EXPECT_EQ(report({}), 4);
  EXPECT_THAT(err_, HasSubstr("holds no rows\n"));
  EXPECT_FALSE(exists("report.html"));
}

TEST_F(ReportCommand, ExitsWith2OnFilesThatCannotBeReadOrWritten) {
  EXPECT_EQ(report({"-o", directory_ / "none/report.html"}), 2);
  EXPECT_THAT(err_, HasSubstr("none/report.html: cannot be written"));
  EXPECT_EQ(report({"-g", directory_ / "none.toml"}), 2);
  write("manifest.json", "{");
  EXPECT_EQ(report({}), 2);
  EXPECT_THAT(err_, HasSubstr("manifest.json: is no manifest"));
  std::filesystem::remove(directory_ / "manifest.json");
  write("results.csv", text_of(directory_ / "results.csv") + "cut off");
  EXPECT_EQ(report({}), 2);
  EXPECT_THAT(err_, HasSubstr("the file is cut off"));
}

}  // namespace
}  // namespace fftprec::commands

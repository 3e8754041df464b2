/// The built program: exit codes, names, and where its output goes.
#include <gmock/gmock.h>

#include "tests/reports/commands/started_program.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/read_csv.hpp"

namespace fftprec::commands {
namespace {

using namespace testing;

TEST(Program, GivesTheExitCodesItPromises) {
  EXPECT_EQ(code_of({"--version"}), 0);
  EXPECT_EQ(code_of({"--help"}), 0);
  EXPECT_EQ(code_of({"env"}), 0);
  EXPECT_EQ(code_of({"list", "sweeps"}), 0);
  EXPECT_EQ(code_of({"run", "-a", "n=8", "--csv", "-"}), 0);
  EXPECT_EQ(code_of({"nonsense"}), 2);
  EXPECT_EQ(code_of({"run", "-a", "mode=nonsense"}), 2);
  EXPECT_EQ(code_of({"run", "-a", "n=8", "-f", "n=9"}), 4);
}

TEST(Program, KnowsEveryNameOfItsBuiltInSweeps) {
  for (const char* sweep : {"smoke", "paper", "full", "published"})
    EXPECT_EQ(code_of({"run", sweep, "-n"}), 0) << sweep;
}

TEST(Program, TakesTheSweepFileOfTheDocumentation) {
  const std::string page = text_of(std::filesystem::path(FFTPREC_SOURCE_DIR) / "docs/sweeps.md");
  const std::string fence = "```toml\n";
  const std::size_t begin = page.find(fence) + fence.size();
  const TemporaryDirectory directory;
  write_text(directory / "lengths.toml", page.substr(begin, page.find("```", begin) - begin));
  write_text(directory / "gates.toml",
             "[[gate]]\nname = \"bound\"\nkind = \"bound\"\n"
             "source = \"its theorem\"\n");

  const Started started = start({"run", directory / "lengths.toml", "-n"});

  EXPECT_EQ(started.wait(), 0) << started.err();
}

TEST(Program, ReportsAFullStandardOutput) {
  const Started started = start({"run", "-a", "n=8", "--csv", "-"}, {.out = "/dev/full"});

  EXPECT_EQ(started.wait(), 2);
  EXPECT_THAT(started.err(), holds("standard output: cannot be written"));
}

TEST(Program, WritesNothingIntoItsFilesWhereStdoutIsClosed) {
  const TemporaryDirectory directory;

  const Started closed = start({"run", "-a", "n=8", "-o", directory / "run"}, {.out = "closed"});

  EXPECT_EQ(closed.wait(), 2);
  EXPECT_THAT(closed.err(), holds("standard output: cannot be written"));
  EXPECT_EQ(testing::read_csv(directory / "run/results.csv").size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(directory / "run/results.csv.part"));
}

}  // namespace
}  // namespace fftprec::commands

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

TEST(Program, GivesTheExitCodesOfGates) {
  const TemporaryDirectory directory;
  const std::string rows = directory / "rows.csv";
  const std::string rules = directory / "g.toml";
  ASSERT_EQ(code_of({"run", "-a", "n=8", "--csv", rows}), 0);
  const auto gate = [&](const std::string& keys, std::vector<std::string> options = {}) {
    write_text(rules, "[[gate]]\nname = 'g'\nsource = 's'\n" + keys);
    options.insert(options.begin(), {"gate", rows, "-g", rules});
    return code_of(options);
  };
  const std::string kept = "kind = 'hash'\nbaseline = 'kept.csv'\n";

  EXPECT_EQ(gate("kind = 'bound'\n"), 0);
  EXPECT_EQ(gate("kind = 'max'\nmetric = 'err_l2_rel'\nlimit = 0\n"), 1);
  EXPECT_EQ(gate("kind = 'max'\nmetric = 'err_l2_rel'\nlimit = 0\n"
                 "expect_fail = { reason = 'r', expires = 9999-12-31 }\n"),
            0);
  EXPECT_EQ(gate("kind = 'max'\nmetric = 'err_l2_rel'\nlimit = 0\n"
                 "expect_fail = { reason = 'r', expires = 2020-01-01 }\n"),
            1);
  EXPECT_EQ(gate("kind = 'nonsense'\n"), 2);
  EXPECT_EQ(gate(kept), 5);
  EXPECT_EQ(gate(kept, {"--update-baseline"}), 0);
  EXPECT_EQ(gate(kept, {"--require-baseline"}), 0);
  write_text(rows, text_of(rows).substr(0, text_of(rows).find('\n') + 1));
  EXPECT_EQ(gate(kept), 4);
}

/// A run judges itself by the gates of its sweep; a case that fails outweighs a gate that does.
TEST(Program, GivesTheExitCodesOfARunWithGates) {
  const TemporaryDirectory directory;
  const auto run = [&](const std::string& name, const std::string& algorithm,
                       const std::string& keys) {
    write_text(directory / (name + ".toml"), "gates = \"" + name +
                                                 "_gates.toml\"\n[axes]\nn = 8\n" +
                                                 "algorithm = \"" + algorithm + "\"\n");
    write_text(directory / (name + "_gates.toml"), "[[gate]]\nname = 'g'\nsource = 's'\n" + keys);
    return code_of({"run", directory / (name + ".toml"), "-o", directory / name});
  };
  const std::string too_low = "kind = 'max'\nmetric = 'err_l2_rel'\nlimit = 0\n";

  EXPECT_EQ(run("good", "radix2-dit", "kind = 'bound'\n"), 0);
  EXPECT_EQ(run("bad", "radix2-dit", too_low), 1);
  EXPECT_EQ(run("known", "radix2-dit",
                too_low + "expect_fail = { reason = 'r', expires = 9999-12-31 }\n"),
            0);
  EXPECT_EQ(run("unkept", "radix2-dit", "kind = 'hash'\nbaseline = 'kept.csv'\n"), 5);
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

TEST(Program, SkipsACombinationWithoutMeaningAndSaysWhy) {
  const Started started = start({"run", "-a", "algorithm=radix2-dit", "-a", "n=48", "--csv", "-"});

  EXPECT_EQ(started.wait(), 4);
  const std::vector<Row> rows = results::parse_csv(started.out(), "stdout");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].status, Status::skipped);
  EXPECT_NE(rows[0].message, "");
}

TEST(Program, GivesTheSameBitsOnOneThreadAndOnTwo) {
  const TemporaryDirectory directory;
  for (const char* threads : {"1", "2"})
    EXPECT_EQ(code_of({"run", "smoke", "-f", "n<=64", "-j", threads, "--csv", directory / threads}),
              0);

  EXPECT_EQ(bits_of(directory / "1"), bits_of(directory / "2"));
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

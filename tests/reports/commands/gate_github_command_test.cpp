/// fftprec gate in a job: the day, the environment, the step summary, and versions of rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "arith/support/version.hpp"
#include "reports/gates/gate_report.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/one_command.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::commands {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using testing::text_of;
using testing::write_text;
using namespace std::chrono_literals;

class GateJob : public testing::OneCommand {
 protected:
  GateJob() {
    write("g.toml", "[[gate]]\nname = 'theory'\nkind = 'bound'\nsource = 's'\n");
    write("known.toml",
          "[[gate]]\nname = 'theory'\nkind = 'bound'\nsource = 's'\n"
          "expect_fail = { reason = 'r', expires = 2026-12-31 }\n");
    write("kept.toml",
          "[[gate]]\nname = 'kept'\nkind = 'hash'\nsource = 's'\nbaseline = 'kept.csv'\n");
    write_rows({made_up({.error = 1})});
  }

  int gate(const std::string& rules, const std::vector<std::string>& options = {}) {
    std::vector<std::string> words = {"gate", directory_.path().string(), "-g", path(rules)};
    words.insert(words.end(), options.begin(), options.end());
    return run(words, [this](Context& context) {
      context.today = [this] { return today_; };
      context.variable = [this](const std::string& name) -> std::optional<std::string> {
        const auto found = variables_.find(name);
        return found == variables_.end() ? std::nullopt : std::optional(found->second);
      };
    });
  }

  std::chrono::sys_days today_ = 2026y / 11 / 21;
  std::map<std::string, std::string> variables_;
};

TEST_F(GateJob, AsksTheClockWhetherAnExpectationHolds) {
  EXPECT_EQ(gate("known.toml"), 0) << out_;
  today_ = 2027y / 1 / 1;
  EXPECT_EQ(gate("known.toml"), 1);
  write_rows({made_up({})});
  EXPECT_EQ(gate("known.toml"), 0);
  today_ = 2026y / 12 / 31;
  EXPECT_EQ(gate("known.toml"), 1) << "passes unexpectedly";
}

TEST_F(GateJob, AnnotatesAndAddsToTheStepSummary) {
  variables_ = {{"GITHUB_ACTIONS", "true"}, {"GITHUB_STEP_SUMMARY", directory_ / "summary.md"}};
  write_text(directory_ / "summary.md", "what was before\n");

  EXPECT_EQ(gate("g.toml", {"--github"}), 1);

  EXPECT_THAT(out_, StartsWith("::group::0 of 1 gates pass\n::stop-commands::"));
  EXPECT_THAT(out_, HasSubstr("\n::error file="));
  EXPECT_THAT(text_of(directory_ / "summary.md"),
              StartsWith("what was before\n## fftprec gate\n\n0 of 1 gates pass."));
  EXPECT_THAT(err_, IsEmpty());
}

TEST_F(GateJob, LeavesASummaryThatIsFullAsItIs) {
  variables_ = {{"GITHUB_STEP_SUMMARY", directory_ / "summary.md"}};
  const std::string full(gates::most_summary_bytes - 10, 'x');
  write_text(directory_ / "summary.md", full);

  EXPECT_EQ(gate("g.toml", {"--github"}), 1);

  EXPECT_EQ(text_of(directory_ / "summary.md"), full);
}

TEST_F(GateJob, SaysThatThereIsNoSummaryToWrite) {
  EXPECT_EQ(gate("g.toml", {"--github"}), 1);
  EXPECT_THAT(err_, HasSubstr("GITHUB_STEP_SUMMARY is not set"));
}

TEST_F(GateJob, ExitsWith2IfTheSummaryCannotBeWritten) {
  variables_ = {{"GITHUB_STEP_SUMMARY", directory_ / "none/summary.md"}};

  EXPECT_EQ(gate("g.toml", {"--github"}), 2);
  EXPECT_THAT(err_, HasSubstr("summary.md: cannot be written"));
}

TEST_F(GateJob, PrintsNoCommandUnlessItIsAskedAndSaysHow) {
  variables_ = {{"GITHUB_ACTIONS", "true"}, {"GITHUB_STEP_SUMMARY", directory_ / "summary.md"}};

  EXPECT_EQ(gate("g.toml"), 1);

  EXPECT_THAT(out_, Not(HasSubstr("::")));
  EXPECT_THAT(err_, HasSubstr("--github would show these failures"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "summary.md"));
  variables_.clear();
  EXPECT_EQ(gate("g.toml"), 1);
  EXPECT_THAT(err_, IsEmpty()) << "no job";
  variables_ = {{"GITHUB_ACTIONS", "true"}};
  write_rows({made_up({})});
  EXPECT_EQ(gate("g.toml"), 0);
  EXPECT_THAT(err_, IsEmpty());
}

TEST_F(GateJob, ExitsWith5IfTheKeptRowsAreOfAnotherVersion) {
  write_text(directory_ / "manifest.json", R"({"version": "0.1.0", "numerics_version": 1})");
  EXPECT_EQ(gate("kept.toml", {"--update-baseline"}), 0) << err_;
  EXPECT_EQ(gate("kept.toml"), 0) << "the manifest says the same version";

  std::filesystem::remove(directory_ / "manifest.json");

  EXPECT_EQ(gate("kept.toml"), 5);
  EXPECT_THAT(err_, HasSubstr("its rows have numerics_version 1, the run's " +
                              std::to_string(numerics_version)));
  EXPECT_EQ(gate("kept.toml", {"--update-baseline"}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("0 added, 0 changed, 1 unchanged\n"));
}

TEST_F(GateJob, ExitsWith2IfABaselineIsAskedForAndNoGateNamesOne) {
  EXPECT_EQ(gate("g.toml", {"--require-baseline"}), 2);
  EXPECT_THAT(err_, HasSubstr("no gate names a baseline"));
  EXPECT_EQ(gate("g.toml", {"--update-baseline"}), 2);
}

}  // namespace
}  // namespace fftprec::commands

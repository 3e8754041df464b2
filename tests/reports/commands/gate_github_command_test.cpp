/// fftprec gate in a job: the day, the environment, the step summary, and versions of rows.
#include <gmock/gmock.h>

#include <filesystem>
#include <map>

#include "arith/support/version.hpp"
#include "reports/gates/gate_report.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/one_command.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::commands {
namespace {

using testing::exits;
using testing::holds;
using ::testing::IsEmpty;
using testing::lacks;
using testing::nothing;
using ::testing::StartsWith;
using testing::text_of;
using testing::Words;
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

  testing::Outcome gate(const std::string& rules, const Words& options = {}) {
    Words words = {"gate", directory_.path().string(), "-g", path(rules)};
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
  EXPECT_THAT(gate("known.toml"), exits(0));
  today_ = 2027y / 1 / 1;
  EXPECT_THAT(gate("known.toml"), exits(1));
  write_rows({made_up({})});
  EXPECT_THAT(gate("known.toml"), exits(0));
  today_ = 2026y / 12 / 31;
  EXPECT_THAT(gate("known.toml"), exits(1)) << "passes unexpectedly";
}

TEST_F(GateJob, AnnotatesAndAddsToTheStepSummary) {
  variables_ = {{"GITHUB_ACTIONS", "true"}, {"GITHUB_STEP_SUMMARY", directory_ / "summary.md"}};
  write_text(directory_ / "summary.md", "what was before\n");

  EXPECT_THAT(gate("g.toml", {"--github"}), exits(1));

  EXPECT_THAT(out_, StartsWith("::group::0 of 1 gates pass\n::stop-commands::"));
  EXPECT_THAT(out_, holds("\n::error file="));
  EXPECT_THAT(text_of(directory_ / "summary.md"),
              StartsWith("what was before\n## fftprec gate\n\n0 of 1 gates pass."));
  EXPECT_THAT(err_, IsEmpty());
}

TEST_F(GateJob, LeavesASummaryThatIsFullAsItIs) {
  variables_ = {{"GITHUB_STEP_SUMMARY", directory_ / "summary.md"}};
  const std::string full(gates::most_summary_bytes - 10, 'x');
  write_text(directory_ / "summary.md", full);

  EXPECT_THAT(gate("g.toml", {"--github"}), exits(1));

  EXPECT_EQ(text_of(directory_ / "summary.md"), full);
}

TEST_F(GateJob, SaysThatThereIsNoSummaryToWrite) {
  EXPECT_THAT(gate("g.toml", {"--github"}), exits(1).err("GITHUB_STEP_SUMMARY is not set"));
}

TEST_F(GateJob, ExitsWith2IfTheSummaryCannotBeWritten) {
  variables_ = {{"GITHUB_STEP_SUMMARY", directory_ / "none/summary.md"}};

  EXPECT_THAT(gate("g.toml", {"--github"}), exits(2).err("summary.md: cannot be written"));
}

TEST_F(GateJob, PrintsNoCommandUnlessItIsAskedAndSaysHow) {
  variables_ = {{"GITHUB_ACTIONS", "true"}, {"GITHUB_STEP_SUMMARY", directory_ / "summary.md"}};

  EXPECT_THAT(gate("g.toml"), exits(1).out(lacks("::")).err("--github would show these failures"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "summary.md"));
  variables_.clear();
  EXPECT_THAT(gate("g.toml"), exits(1));
  EXPECT_THAT(err_, IsEmpty()) << "no job";
  variables_ = {{"GITHUB_ACTIONS", "true"}};
  write_rows({made_up({})});
  EXPECT_THAT(gate("g.toml"), exits(0).err(nothing));
}

TEST_F(GateJob, ExitsWith5IfTheKeptRowsAreOfAnotherVersion) {
  write_text(directory_ / "manifest.json", R"({"version": "0.1.0", "numerics_version": 1})");
  EXPECT_THAT(gate("kept.toml", {"--update-baseline"}), exits(0));
  EXPECT_THAT(gate("kept.toml"), exits(0)) << "the manifest says the same version";

  std::filesystem::remove(directory_ / "manifest.json");

  EXPECT_THAT(gate("kept.toml"), exits(5).err("its rows have numerics_version 1, the run's " +
                                              std::to_string(numerics_version)));
  EXPECT_THAT(gate("kept.toml", {"--update-baseline"}),
              exits(0).out("0 added, 0 changed, 1 unchanged\n"));
}

TEST_F(GateJob, ExitsWith2IfABaselineIsAskedForAndNoGateNamesOne) {
  EXPECT_THAT(gate("g.toml", {"--require-baseline"}), exits(2).err("no gate names a baseline"));
  EXPECT_THAT(gate("g.toml", {"--update-baseline"}), exits(2));
}

}  // namespace
}  // namespace fftprec::commands

/// A run of several processes, as mpirun starts them, without MPI: one after the other.
#include <gmock/gmock.h>

#include <csignal>
#include <sstream>

#include "arith/support/error.hpp"
#include "reports/commands/run_command.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/no_programs.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/watched.hpp"

namespace fftprec::commands {
namespace {

using testing::holds;
using testing::TemporaryDirectory;
using testing::text_of;
using testing::write_text;
namespace fs = std::filesystem;

/// What all processes of a run give together.
struct JointOutcome {
  ExitCode code{};          ///< the first one's
  std::string out;          ///< everybody's
  std::string err;          ///< the first one's
  std::string err_of_rest;  ///< the others'
  int evaluated = 0;
};

class RunProcesses : public ::testing::Test {
 protected:
  RunRequest request(const std::string& name) const {
    RunRequest request;
    request.cases.axes = {"algorithm=watched", "n=1..12", "mode=fp32,bf16"};
    request.no_times = true;
    request.directory = directory_ / name;
    request.threads = 1;
    return request;
  }

  /// The last process runs first, so that the first one knows what all others say. They are told
  /// that the first one says `first_word`.
  JointOutcome run(const RunRequest& request, int count, ExitCode first_word = ExitCode::ok) const {
    JointOutcome outcome;
    std::vector<int> words(static_cast<std::size_t>(count), to_int(first_word));
    for (int own = count - 1; own >= 0; --own) {
      std::ostringstream out, err;
      const testing::Watch watch([&](std::size_t n) {
        ++outcome.evaluated;
        if (n == interrupted_at_) std::raise(SIGINT);
        if (n == failing_at_) throw std::runtime_error("no luck");
      });
      Context context{out, err, {"fftprec", "run"}};
      const auto allgather = [&words, own](int word) {
        words[static_cast<std::size_t>(own)] = word;
        return words;
      };
      try {
        outcome.code = run_command(request, context, {own, count, allgather});
      } catch (const InputError& error) {
        outcome.code = ExitCode::usage;
        err << error.what();
      }
      outcome.out += out.str();
      (own == 0 ? outcome.err : outcome.err_of_rest) += err.str();
    }
    return outcome;
  }

  std::string rows(const std::string& name) const {
    return text_of(directory_ / name / "results.csv");
  }

  TemporaryDirectory directory_;
  testing::NoPrograms without_converter_;
  std::uint64_t interrupted_at_ = 0;
  std::uint64_t failing_at_ = 0;
};

TEST_F(RunProcesses, GiveTheRowsOfOneAlsoWhereSomeHaveNothingToDo) {
  ASSERT_EQ(run(request("one"), 1).code, ExitCode::ok);
  for (const int count : {2, 3, 30}) {
    const std::string name = std::to_string(count);
    const JointOutcome outcome = run(request(name), count);

    EXPECT_EQ(outcome.code, ExitCode::ok) << outcome.err;
    EXPECT_EQ(outcome.evaluated, 24);
    EXPECT_EQ(rows(name), rows("one")) << count;
    EXPECT_THAT(outcome.out, holds("24 rows: 24 ok"));
    EXPECT_THAT(outcome.err, holds("results.csv, manifest.json, summary.md, plots/\n"));
    EXPECT_EQ(outcome.err_of_rest, "");
    EXPECT_THAT(text_of(directory_ / name / "manifest.json"),
                holds("\"processes\": " + name + ","));
    EXPECT_FALSE(fs::exists(directory_ / name / "results.parts"));
  }
}

TEST_F(RunProcesses, RunNothingAgain) {
  run(request("run"), 2);
  const std::string manifest = text_of(directory_ / "run/manifest.json");

  EXPECT_EQ(run(request("run"), 2).evaluated, 0);
  EXPECT_EQ(run(request("run"), 3).evaluated, 0);

  EXPECT_EQ(text_of(directory_ / "run/manifest.json"), manifest);
}

TEST_F(RunProcesses, GoOnAfterAnInterruptInAnyNumber) {
  run(request("one"), 1);
  for (const int before : {1, 2})
    for (const int after : {1, 2, 3}) {
      const std::string name = std::to_string(before) + "-" + std::to_string(after);
      SCOPED_TRACE(name);
      interrupted_at_ = 7;
      const JointOutcome first = run(request(name), before);
      interrupted_at_ = 0;
      const JointOutcome second = run(request(name), after);

      EXPECT_EQ(first.code, ExitCode::interrupted);
      EXPECT_THAT(first.err, holds("the same command continues from there"));
      EXPECT_GT(first.evaluated, 0);
      EXPECT_LT(first.evaluated, 24);
      EXPECT_EQ(second.code, ExitCode::ok) << second.err;
      EXPECT_EQ(first.evaluated + second.evaluated, 24);
      EXPECT_EQ(rows(name), rows("one"));
      EXPECT_FALSE(fs::exists(directory_ / name / "results.parts"));
    }
}

TEST_F(RunProcesses, RunFailedRowsAgainOrAll) {
  failing_at_ = 5;
  EXPECT_EQ(run(request("run"), 2).code, ExitCode::cases_failed);
  failing_at_ = 0;
  const JointOutcome same = run(request("run"), 2);
  EXPECT_EQ(same.evaluated, 0) << "a failed row is a finished row";
  EXPECT_EQ(same.code, ExitCode::cases_failed);
  RunRequest again = request("run");

  again.rerun = results::Rerun::failed;
  const JointOutcome failed = run(again, 3);
  again.rerun = results::Rerun::all;
  const JointOutcome all = run(again, 2);

  EXPECT_EQ(failed.code, ExitCode::ok);
  EXPECT_EQ(failed.evaluated, 2);
  EXPECT_EQ(all.evaluated, 24);
  EXPECT_EQ(text_of(directory_ / "run/results.csv.old"), rows("run"));
}

TEST_F(RunProcesses, RunOnTheInstructionSetAskedFor) {
  RunRequest baseline = request("run");
  baseline.isa = "baseline";

  EXPECT_EQ(run(baseline, 2).code, ExitCode::ok);

  EXPECT_THAT(text_of(directory_ / "run/manifest.json"), holds("\"isa\": \"baseline\""));
}

TEST_F(RunProcesses, CountTheThreadsOfAllInADryRun) {
  RunRequest dry = request("run");
  dry.dry_run = true;

  const JointOutcome outcome = run(dry, 3);

  EXPECT_THAT(outcome.out, holds("24 cases that share 12 truths\n", ", on 3 threads about "));
  EXPECT_FALSE(fs::exists(directory_ / "run"));
}

TEST_F(RunProcesses, TellOfACommonMistakeOnce) {
  RunRequest nowhere = request("run");
  nowhere.directory.clear();
  RunRequest shard = request("run");
  shard.shard = "1/2";
  RunRequest unknown = request("run");
  unknown.cases.axes = {"mode=fp23"};
  RunRequest unwritable = request("run");
  unwritable.csv = "/nonexistent/x";
  RunRequest empty = request("run");
  empty.cases.filters = {"n>12"};
  const struct {
    RunRequest request;
    ExitCode code;
    const char* message;
  } mistakes[] = {{nowhere, ExitCode::usage, "mpirun needs -o DIR"},
                  {shard, ExitCode::usage, "mpirun divides the whole sweep"},
                  {unknown, ExitCode::usage, "did you mean 'fp32'?"},
                  {unwritable, ExitCode::usage, "/nonexistent/x: cannot be written"},
                  {empty, ExitCode::nothing_matched, "no case matches -f 'n>12'"}};
  for (const auto& [request, code, message] : mistakes) {
    SCOPED_TRACE(message);
    const JointOutcome outcome = run(request, 3, code);

    EXPECT_EQ(outcome.code, code);
    EXPECT_THAT(outcome.err, holds(message));
    EXPECT_EQ(outcome.err_of_rest, "");
  }
}

TEST_F(RunProcesses, TellOfAMistakeThatAnotherOneMeets) {
  fs::create_directories(directory_ / "run/results.parts");
  write_text(directory_ / "run/results.parts/2-of-2", "in the way");

  const JointOutcome outcome = run(request("run"), 2);

  EXPECT_EQ(outcome.code, ExitCode::usage);
  EXPECT_THAT(outcome.err_of_rest, holds("fftprec: process 2 of 2: ", "2-of-2: cannot be created"));
  EXPECT_FALSE(fs::exists(directory_ / "run/results.csv"));
}

TEST_F(RunProcesses, RefuseADirectoryOfAnotherRun) {
  RunRequest other = request("run");
  other.cases.axes = {"n=99"};
  run(other, 1);
  RunRequest timed = request("times");
  run(timed, 1);
  timed.no_times = false;

  EXPECT_THAT(run(request("run"), 2, ExitCode::usage).err,
              holds("holds 1 row of a case that is not in this run"));
  EXPECT_THAT(run(timed, 2, ExitCode::usage).err, holds("the rows there were made with"));
  EXPECT_THAT(rows("run"), holds(",99,"));
}

}  // namespace
}  // namespace fftprec::commands

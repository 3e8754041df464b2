/// The built program where it cannot finish: interrupts, kills, timeouts, a full disk, a
/// reader that is gone.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "tests/reports/commands/started_program.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/read_csv.hpp"

namespace fftprec::commands {
namespace {

using namespace testing;

std::size_t lines_in(const std::filesystem::path& path) {
  const std::string text = text_of(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

void wait_for_rows(const std::filesystem::path& journal, std::size_t rows) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (lines_in(journal) < rows + 1 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Enough cases to be interrupted, each of a few milliseconds.
std::vector<std::string> long_run(const std::string& directory) {
  return {"run",
          "-a",
          "algorithm=dft-gemm",
          "-a",
          "mode=fp32,bf16",
          "-a",
          "n=512",
          "-a",
          "seed=1..60",
          "-j",
          "2",
          "-o",
          directory};
}

TEST(Program, WritesEveryFileBeforeAReaderThatIsGone) {
  const TemporaryDirectory directory;
  const std::filesystem::path pipe = directory / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  std::vector<std::string> words = long_run(directory / "run");
  words.insert(words.end(), {"--csv", "-"});
  const Started started = start(words, {.out = pipe});
  wait_for_rows(directory / "run/results.csv.part", 1);

  ::close(reader);

  EXPECT_EQ(started.wait(), 1000 + SIGPIPE);
  EXPECT_EQ(testing::read_csv(directory / "run/results.csv").size(), 120u);
  EXPECT_NE(text_of(directory / "run/summary.md"), "");
}

TEST(Program, KeepsWhatIsFinishedWhenTheDiskFillsUp) {
  const TemporaryDirectory directory;
  const std::vector<std::string> words = {
      "run", "-a", "n=8", "-a", "seed=1..200", "-a", "mode=fp32", "-o", directory / "run"};

  const Started full = start(words, {.out = {}, .file_bytes = 8192});
  EXPECT_EQ(full.wait(), 2);
  EXPECT_THAT(full.err(), holds("run/results.csv.part: cannot be written: "));
  const std::size_t kept = lines_in(directory / "run/results.csv.part") - 1;
  EXPECT_GT(kept, 10u);

  EXPECT_EQ(code_of(words), 0);
  EXPECT_EQ(testing::read_csv(directory / "run/results.csv").size(), 200u);
}

TEST(Program, EndsAtCtrlCWithCode130AndResumes) {
  const TemporaryDirectory directory;
  const Started started = start(long_run(directory / "run"));
  wait_for_rows(directory / "run/results.csv.part", 5);

  ::kill(started.process, SIGINT);

  EXPECT_EQ(started.wait(), 130) << started.err();
  EXPECT_THAT(started.err(), holds("the same command continues from there"));
  const std::size_t kept = lines_in(directory / "run/results.csv.part") - 1;
  EXPECT_LT(kept, 120u);

  const Started resumed = start(long_run(directory / "run"));
  EXPECT_EQ(resumed.wait(), 0);
  EXPECT_THAT(resumed.err(), holds(std::to_string(kept) + " of 120 cases finished"));
}

/// A truth with a bound for each of 100,000 transforms, which are small numbers of MPFR: it is GMP
/// that runs out of memory.
TEST(Program, IsNotAbortedWhereThereIsLittleMemory) {
  for (int kilobytes = 30'000; kilobytes <= 60'000; kilobytes += 1'000) {
    const std::string line = "ulimit -v " + std::to_string(kilobytes) + "; exec " +
                             std::string(FFTPREC_PROGRAM) +
                             " run -a n=1 -a batch=100000 -a mode=fp32 "
                             "--csv /dev/null >/dev/null 2>&1";
    const int status = std::system(line.c_str());
    ASSERT_TRUE(WIFEXITED(status)) << kilobytes;
    EXPECT_NE(WEXITSTATUS(status), 128 + SIGABRT) << kilobytes;
    EXPECT_NE(WEXITSTATUS(status), 128 + SIGSEGV) << kilobytes;
  }
}

TEST(Program, GivesUpWhatTakesTooLongAndRunsTheRest) {
  const TemporaryDirectory directory;
  const std::vector<std::string> words = {"run",
                                          "-a",
                                          "algorithm=direct",
                                          "-a",
                                          "mode=kahan-sum",
                                          "-a",
                                          "n=8,16,32768",
                                          "-a",
                                          "seed=1..2",
                                          "--timeout",
                                          "1",
                                          "-o",
                                          directory / "run"};
  std::vector<std::string> again = words;
  again.insert(again.end(), {"--rerun", "failed"});

  for (const auto& command : {words, again}) {
    const Started started = start(command);

    EXPECT_EQ(started.wait(), 3) << started.err();
    for (const Row& row : testing::read_csv(directory / "run/results.csv")) {
      EXPECT_EQ(row.status, row.where.n() > 16 ? Status::failed : Status::ok) << row.message;
      EXPECT_THAT(row.message, holds(row.where.n() > 16 ? "not finished after 1 s, given up" : ""));
    }
    EXPECT_FALSE(std::filesystem::exists(directory / "run/results.csv.part"));
    EXPECT_NE(text_of(directory / "run/summary.md"), "");
  }
}

TEST(Program, SurvivesKillsAtAnyMoment) {
  const TemporaryDirectory directory;
  EXPECT_EQ(code_of(long_run(directory / "undisturbed")), 0);
  for (std::size_t kill = 1; kill <= 6; ++kill) {
    const Started started = start(long_run(directory / "run"));
    wait_for_rows(directory / "run/results.csv.part", 8 * kill);
    ::kill(started.process, SIGKILL);
    EXPECT_EQ(started.wait(), 1000 + SIGKILL) << "the run ended before it could be killed";
  }

  EXPECT_EQ(code_of(long_run(directory / "run")), 0);

  EXPECT_EQ(bits_of(directory / "run/results.csv"), bits_of(directory / "undisturbed/results.csv"));
}

TEST(Program, LosesAtMostASecondOfReducedSeedsToAKill) {
  const TemporaryDirectory directory;
  const auto reduced = [&](const std::string& name) {
    std::vector<std::string> words = long_run(directory / name);
    words.insert(words.end(), {"-a", "seed=1..800", "--reduce", "seed", "--no-times"});
    words.erase(std::ranges::find(words, "seed=1..60") - 1,
                std::ranges::find(words, "seed=1..60") + 1);
    return words;
  };
  EXPECT_EQ(code_of(reduced("undisturbed")), 0);
  const std::filesystem::path journal = directory / "run/results.csv.part";
  std::size_t lines = 0;
  for (int kill = 1; kill <= 2; ++kill) {
    const Started started = start(reduced("run"));
    wait_for_rows(journal, std::max<std::size_t>(lines, 1));
    ::kill(started.process, SIGKILL);
    if (started.wait() == 0) break;  // a fast machine
    lines = lines_in(journal);
    EXPECT_LT(lines, 20u) << "a line for a second, not for a seed";
  }

  EXPECT_EQ(code_of(reduced("run")), 0);

  EXPECT_EQ(text_of(directory / "run/results.csv"), text_of(directory / "undisturbed/results.csv"));
}

}  // namespace
}  // namespace fftprec::commands

/// The built program, started as a user starts it: exit codes, a full disk, interrupts and kills.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "reports/results/csv.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryDirectory;
using testing::text_of;
using testing::write_text;

struct Started {
  std::shared_ptr<TemporaryDirectory> streams;  ///< holds out, err, and the user's cache
  pid_t process;

  /// The exit code, or 1000 + the signal that ended the program.
  int wait() const {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  std::string out() const { return text_of(*streams / "out"); }
  std::string err() const { return text_of(*streams / "err"); }
};

struct Limits {
  std::string out;                    ///< where stdout goes, instead of a file; "closed": nowhere
  rlim_t file_bytes = RLIM_INFINITY;  ///< as if the disk were full from there on
};

Started start(std::vector<std::string> words, const Limits& limits = {}) {
  Started started{std::make_shared<TemporaryDirectory>(), 0};
  words.insert(words.begin(), FFTPREC_PROGRAM);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string out = limits.out.empty() ? (*started.streams / "out").string() : limits.out;
  const std::string err = *started.streams / "err";
  const std::string cache = *started.streams / "cache";
  started.process = ::fork();
  if (started.process == 0) {
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    if (out == "closed")
      ::close(STDOUT_FILENO);
    else
      ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    const rlimit limit{limits.file_bytes, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::setenv("XDG_CACHE_HOME", cache.c_str(), 1);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  return started;
}

int code_of(const std::vector<std::string>& words) { return start(words).wait(); }

/// The rows of a file, without what differs from run to run: the time.
std::string bits_of(const std::filesystem::path& csv) {
  std::vector<Row> rows = read_csv(csv);
  std::string text;
  for (Row& row : rows) {
    row.time_ns.reset();
    text += to_csv(row);
  }
  return text;
}

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
          "mode=fast,bf16",
          "-a",
          "n=512",
          "-a",
          "seed=1..60",
          "-j",
          "2",
          "-o",
          directory};
}

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

  EXPECT_EQ(started.wait(), 0);
  const std::vector<Row> rows = parse_csv(started.out(), "stdout");
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
  EXPECT_THAT(started.err(), HasSubstr("standard output: cannot be written"));
}

TEST(Program, WritesNothingIntoItsFilesWhereStdoutIsClosed) {
  const TemporaryDirectory directory;

  const Started closed = start({"run", "-a", "n=8", "-o", directory / "run"}, {.out = "closed"});

  EXPECT_EQ(closed.wait(), 2);
  EXPECT_THAT(closed.err(), HasSubstr("standard output: cannot be written"));
  EXPECT_EQ(read_csv(directory / "run/results.csv").size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(directory / "run/results.csv.part"));
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
  EXPECT_EQ(read_csv(directory / "run/results.csv").size(), 120u);
  EXPECT_NE(text_of(directory / "run/summary.md"), "");
}

TEST(Program, KeepsWhatIsFinishedWhenTheDiskFillsUp) {
  const TemporaryDirectory directory;
  const std::vector<std::string> words = {
      "run", "-a", "n=8", "-a", "seed=1..200", "-a", "mode=fast", "-o", directory / "run"};

  const Started full = start(words, {.out = {}, .file_bytes = 8192});
  EXPECT_EQ(full.wait(), 2);
  EXPECT_THAT(full.err(), HasSubstr("run/results.csv.part: cannot be written: "));
  const std::size_t kept = read_csv(directory / "run/results.csv.part").size();
  EXPECT_GT(kept, 10u);

  EXPECT_EQ(code_of(words), 0);
  EXPECT_EQ(read_csv(directory / "run/results.csv").size(), 200u);
}

/// Long enough to compute that the truth is kept.
std::vector<std::string> with_cache(const std::string& cache, const std::string& rows) {
  return {"run", "-a", "n=4096", "-a", "mode=fast,bf16", "--truth", "mpfr",
          "-j",  "1",  "--csv",  rows, "--truth-cache",  cache};
}

TEST(Program, NeverUsesADamagedTruth) {
  const TemporaryDirectory directory;
  EXPECT_EQ(code_of(with_cache("none", directory / "expected")), 0);
  EXPECT_EQ(code_of(with_cache(directory / "cache", directory / "rows")), 0);
  const std::filesystem::path entry =
      std::filesystem::directory_iterator(directory / "cache")->path();
  const std::string good = text_of(entry);
  EXPECT_EQ(bits_of(directory / "rows"), bits_of(directory / "expected"));
  for (const std::size_t place : {std::size_t{1000}, good.size() / 2, good.size() - 1}) {
    std::string bad = good;
    bad[place] = static_cast<char>(bad[place] ^ 1);
    testing::write_text(entry, bad);

    EXPECT_EQ(code_of(with_cache(directory / "cache", directory / "rows")), 0);

    EXPECT_EQ(bits_of(directory / "rows"), bits_of(directory / "expected")) << place;
    EXPECT_EQ(text_of(entry), good) << "replaced by a good one";
  }
}

TEST(Program, SharesItsTruthsWithAnotherProcess) {
  const TemporaryDirectory directory;
  EXPECT_EQ(code_of(with_cache("none", directory / "expected")), 0);
  for (int round = 0; round < 3; ++round) {
    const Started one = start(with_cache(directory / "cache", directory / "one"));
    const Started two = start(with_cache(directory / "cache", directory / "two"));
    EXPECT_EQ(one.wait(), 0) << one.err();
    EXPECT_EQ(two.wait(), 0) << two.err();
    for (const char* rows : {"one", "two"})
      EXPECT_EQ(bits_of(directory / rows), bits_of(directory / "expected"));
  }
}

TEST(Program, RunsOnWhereTruthsCannotBeKept) {
  const TemporaryDirectory directory;
  EXPECT_EQ(code_of(with_cache("none", directory / "expected")), 0);

  const Started full =
      start(with_cache(directory / "cache", directory / "rows"), {.out = {}, .file_bytes = 65536});

  EXPECT_EQ(full.wait(), 0) << full.err();
  EXPECT_THAT(full.err(), HasSubstr("truths are not kept: "));
  EXPECT_EQ(bits_of(directory / "rows"), bits_of(directory / "expected"));
  EXPECT_TRUE(std::filesystem::is_empty(directory / "cache"));
}

TEST(Program, EndsAtCtrlCWithCode130AndResumes) {
  const TemporaryDirectory directory;
  const Started started = start(long_run(directory / "run"));
  wait_for_rows(directory / "run/results.csv.part", 5);

  ::kill(started.process, SIGINT);

  EXPECT_EQ(started.wait(), 130) << started.err();
  EXPECT_THAT(started.err(), HasSubstr("the same command goes on from there"));
  const std::size_t kept = read_csv(directory / "run/results.csv.part").size();
  EXPECT_LT(kept, 120u);

  const Started resumed = start(long_run(directory / "run"));
  EXPECT_EQ(resumed.wait(), 0);
  EXPECT_THAT(resumed.err(), HasSubstr(std::to_string(kept) + " of 120 cases are finished"));
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
                                          "0.3",
                                          "-o",
                                          directory / "run"};
  std::vector<std::string> again = words;
  again.insert(again.end(), {"--rerun", "failed"});

  for (const auto& command : {words, again}) {
    const Started started = start(command);

    EXPECT_EQ(started.wait(), 3) << started.err();
    EXPECT_THAT(started.err(), HasSubstr("given up after 0.3 s; what is left goes on"));
    for (const Row& row : read_csv(directory / "run/results.csv")) {
      EXPECT_EQ(row.status, row.where.n > 16 ? Status::failed : Status::ok) << row.message;
      EXPECT_THAT(row.message,
                  HasSubstr(row.where.n > 16 ? "not finished after 0.3 s, given up" : ""));
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

}  // namespace
}  // namespace fftprec

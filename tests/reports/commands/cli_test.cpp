#include "reports/commands/cli.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cfenv>
#include <cstdlib>
#include <filesystem>
#include <ostream>

#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::commands {
namespace {

using ::testing::AllOf;
using testing::exits;
using testing::expect_each;
using testing::holds;
using testing::lacks;
using testing::Outcome;
using testing::run_line;
using ::testing::StartsWith;
using testing::TemporaryDirectory;
using testing::Words;
using testing::write_text;

Outcome call(const Words& words) { return run_line(words); }

/// While one exists, the thread rounds upwards.
class RoundingUp {
 public:
  RoundingUp() { std::fesetround(FE_UPWARD); }
  ~RoundingUp() { std::fesetround(FE_TONEAREST); }
};

TEST(Cli, ShowsHelpWithExamplesAndExitCodes) {
  const Outcome outcome = call({"--help"});

  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* part : {"run ", "list ", "show ", "gate ", "plot ", "env ", "doctor ",
                           "Examples:", "Exit codes: 0 ok", "130 interrupted"})
    EXPECT_THAT(outcome.out, holds(part));
  EXPECT_THAT(call({"run", "--help"}).out, holds("--rerun", "n[pow2]"));
}

TEST(Cli, HelpsOnACommandInBothOrders) {
  EXPECT_EQ(call({"help", "run"}).out, call({"run", "--help"}).out);
  EXPECT_EQ(call({"help"}).out, call({"--help"}).out);
}

TEST(Cli, TakesCountsAndDurationsAsPeopleWriteThem) {
  expect_each<Words>([&](const Words& input) { return call(input).out; },
                     {{{"list", "cases", "-a", "n=2^4,1k,1e2", "-f", "n<=2^7"},
                       holds(" n=16 ", " n=100 ").but_not(" n=1024 ")},
                      {{"list", "cases", "-a", "seed=2^2..6"}, " seed=4\n"},
                      {{"run", "-a", "n=8", "-n", "-j", "2^2"}, "on 4 threads"}});
}

TEST(Cli, AnswersBadUsageWithCode2AndTheKnownNames) {
  for (const auto& [words, message] : std::vector<std::pair<Words, std::string>>{
           {{"lst"}, "unknown command 'lst'; did you mean 'list'?; see fftprec --help"},
           {{"version"}, "unknown command 'version'; did you mean '--version'?"},
           {{"-v"}, "unknown option '-v'; did you mean '--version'?"},
           {{"run", "--mode=bf16"}, "unknown option '--mode=bf16'; did you mean '-a mode=bf16'?"},
           {{"run", "--mode", "bf16"}, "unknown option '--mode'; did you mean '-a mode=bf16'?"},
           {{"compare", "a", "b", "--mode=x"}, "unknown option '--mode=x'; see"},
           {{"run", "-a", "mode", "bf16"}, "'-a mode' has no values; did you mean '-a mode=bf16'?"},
           {{"run", "-a", "n=8", "-f", "n=8 or n=16"}, "did you mean 'n=8,16'?"},
           {{"run", "--dry-rum"}, "unknown option '--dry-rum'; did you mean '--dry-run'?"},
           {{"run"}, "nothing to run"},
           {{"run", "smok"}, "unknown sweep 'smok'; did you mean 'smoke'?"},
           {{"run", "machine=trn"}, "'machine=trn' is no sweep: values of an axis come after -a"},
           {{"run", "-a", "mod=fp32"}, "unknown axis 'mod'; did you mean 'mode'?"},
           {{"run", "-a", "n=0"}, "contains 0"},
           {{"run", "-a", "n=8", "-f", "mod=x"}, "unknown column 'mod'"},
           {{"run", "-a", "n=8", "-f", "status=ok"}, "axes only"},
           {{"run", "-a", "n=8", "-j", "0"}, "--threads"},
           {{"run", "-a", "n=8", "--isa", "avx"}, "unknown instruction set 'avx'"},
           {{"run", "-a", "n=8", "--rerun", "fail"}, "did you mean 'failed'?"},
           {{"run", "-a", "n=8", "--truth", "mpf"},
            "unknown value of --truth 'mpf'; did you mean 'mpfr'?; known: auto, mpfr, dd, gmp"},
           {{"run", "-a", "n=8", "--truth-bits", "52"}, "--truth-bits: '52' is not in 53..105"},
           {{"run", "-a", "n=8", "--truth-bits", "106"},
            "--truth-bits: '106' is not in 53..105; a truth is a pair of doubles"},
           {{"run", "-a", "n=8", "--truth-bit", "64"}, "did you mean '--truth-bits'?"},
           {{"run", "-a", "n=8", "--csv", "/nonexistent/x"}, "/nonexistent/x: cannot be written"},
           {{"run", "-a", "n=8", "-o", "/proc/none"}, "/proc/none: cannot be created"},
           {{"run", "-a", "n=8", "x", "y"}, "y"},
           {{"run", "-a", "n=8", "-a", "n=16"}, "axis 'n' is given twice"},
           {{"run", "-a", "n=8", "-f", "mode=fp23"}, "unknown mode 'fp23'; did you mean 'fp32'?"},
           {{"run", "-a", "n=8", "-o", ""}, "--output: is empty"},
           {{"run", "-a", "n=8", "--shard", "5/4"}, "'5/4' is no shard; expected I/N"},
           {{"run", "-a", "n=8", "--timeout", "0", "-o", "x"}, "--timeout"},
           {{"merge", "a"}, "merge: --output is missing"},
           {{"run", "-a", "n=1..1000000", "-a", "seed=1..1000000", "-n"},
            "more than 1073741824 cases"},
           {{}, "name a command: run, list, show, "},
           {{"gate"}, "gate: run is missing (A run's directory, or a CSV file)"},
           {{"gate", "x"}, "gate: --gates is missing"},
           {{"list"}, "list: subject is missing (transforms, "},
           {{"list", "modes", "-a", "n=8"}, "list modes takes neither a sweep nor -a nor -f"},
           {{"list", "mods"}, "did you mean 'modes'?"},
           {{"run", "-a", "N=8"}, "unknown axis 'N'; did you mean 'n'?"},
           {{"run", "-a", "n=8", "--timeout", "5d", "-o", "x"},
            "--timeout: '5d' is no duration such as 500ms, 5s, 2m or 1h"},
           {{"help", "rnu"}, "unknown command 'rnu'; did you mean 'run'?"},
           {{"compare", "a", "b", "--metric", "err_l2"},
            "unknown metric 'err_l2'; did you mean 'err_l2_rel'?; all: fftprec list metrics"},
           {{"completion", "csh"}, "unknown shell 'csh'"}}) {
    const Outcome outcome = call(words);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_EQ(outcome.out, "") << message;
    EXPECT_THAT(outcome.err, AllOf(StartsWith("fftprec: "), holds(message)));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

TEST(Cli, RefusesToRunWhereResultsWouldBeWrong) {
  Outcome measured, looked, healthy;
  {
    const RoundingUp upwards;
    measured = call({"run", "-a", "n=8"});
    looked = call({"env"});
    healthy = call({"doctor"});
  }
  EXPECT_EQ(measured.code, 2);
  EXPECT_THAT(measured.err, holds("floating-point environment"));
  EXPECT_EQ(looked.code, 0);
  EXPECT_THAT(looked.out, lacks("to nearest, subnormals kept"));
  EXPECT_EQ(healthy.code, 2);
  EXPECT_THAT(healthy.out, holds("FAILED   floating point"));
}

TEST(List, NamesTheCasesOfARun) {
  EXPECT_EQ(call({"list", "cases", "-a", "n=8,16", "-a", "mode=bf16", "-f", "n>8"}).out,
            "-a transform=fft -a algorithm=radix2-dit -a mode=bf16 -a machine=trn -a tables=exact "
            "-a n=16 -a batch=1 -a input=gaussian -a seed=1\n");
  EXPECT_EQ(call({"list", "cases", "-a", "n=8", "-f", "n=9"}).code, 4);
}

TEST(List, KnowsEverySubjectItOffers) {
  for (const char* subject : {"transforms", "algorithms", "modes", "machines", "tables", "inputs",
                              "metrics", "sweeps", "formats", "roundings", "claims"}) {
    const Outcome outcome = run_line({"list", subject});
    EXPECT_EQ(outcome.code, 0) << subject << outcome.err;
    EXPECT_NE(outcome.out, "") << subject;
  }
}

TEST(Env, PrintsTextOrJson) {
  EXPECT_THAT(call({"env"}).out, holds("compiler  ", "MPFR  "));
  EXPECT_THAT(call({"env", "--json"}).out, AllOf(StartsWith("{\n"), holds("\"compiler\": ")));
}

TEST(Doctor, IsContentWhereAllIsWell) {
  const TemporaryDirectory directory;
  EXPECT_THAT(
      call({"doctor", "-o", directory.path()}),
      exits(0).out(holds("ok       floating point", "ok       self-test", "ok       directory")));
}

TEST(Doctor, WarnsOfAnotherProgramInPath) {
  const TemporaryDirectory directory;
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", directory.path().c_str(), 1);
  EXPECT_THAT(call({"doctor"}).out, holds("warning  program         fftprec is not in PATH"));

  write_text(directory / "fftprec", "");
  std::filesystem::permissions(directory / "fftprec", std::filesystem::perms::owner_all);
  EXPECT_THAT(call({"doctor"}).out, holds("fftprec, another program than this, "));

  std::filesystem::remove(directory / "fftprec");
  std::filesystem::create_symlink(std::filesystem::read_symlink("/proc/self/exe"),
                                  directory / "fftprec");
  EXPECT_THAT(call({"doctor"}).out, holds("ok       program         "));
  ::setenv("PATH", path.c_str(), 1);
}

TEST(Doctor, FindsADirectoryThatCannotBeWritten) {
  EXPECT_THAT(call({"doctor", "-o", "/nonexistent"}).out, holds("FAILED   directory"));
}

}  // namespace
}  // namespace fftprec::commands

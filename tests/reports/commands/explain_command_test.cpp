/// `fftprec explain` as a user sees it: the text, the files, and its errors.
#include <gmock/gmock.h>

#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "experiments/support/files.hpp"
#include "reports/commands/commands.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/run_reader.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_files.hpp"
#include "tests/support/svg.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::commands {
namespace {

using ::testing::AllOf;
using testing::exits;
using testing::holds;
using ::testing::StartsWith;
using testing::Words;

constexpr const char* measured_text = R"(name = "chip"
what = "a small test"
[defaults]
algorithm = "dft-gemm"
n = 16
input = "torch_randn"
seed = 42
tables = "exact"
metric = "err_linf_rel"
[[row]]
mode = "ozaki"
value = "VALUE"
)";

constexpr const char* hypotheses_text = R"(
tables = ["exact"]
[[hypothesis]]
id = "plain"
statement = "as documented"
[[hypothesis.machines]]
[[hypothesis]]
id = "rounded"
statement = "terms are rounded to bf16"
[[hypothesis.machines]]
set = { demote = "terms" }
)";

constexpr const char* experiments_text = R"(
[axes]
algorithm = "dft-gemm"
mode = ["bf16", "ozaki"]
n = 32
input = "torch_randn"
seed = 42
)";

class ExplainCommand : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    const std::string path = (directory_.path() / name).string();
    testing::write_text(path, text);
    return path;
  }

  testing::Outcome explain(const std::string& value, Words more = {}) {
    return explain_with({{"VALUE", value}}, std::move(more));
  }

  /// With `changes` of the measured file: what is there, and what takes its place.
  testing::Outcome explain_with(const std::vector<std::pair<std::string, std::string>>& changes,
                                Words more = {}) {
    std::string text = measured_text;
    for (const auto& [old, now] : changes) text.replace(text.find(old), old.size(), now);
    const Words words = {"explain",       file("m.toml", text),
                         "--hypotheses",  file("h.toml", hypotheses_text),
                         "--experiments", file("e.toml", experiments_text),
                         "--replays",     "4"};
    more.insert(more.begin(), words.begin(), words.end());
    return testing::run_line(more);
  }

  testing::TemporaryDirectory directory_;
};

TEST_F(ExplainCommand, NamesWhatFitsAndTheExperimentThatIsLeft) {
  const testing::Outcome outcome = explain("2e-3");  // rounded terms: 1.5e-3 to 2.5e-3

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith("chip: a small test"), holds("1 variant fits of 2"),
                                 holds("trn{demote=terms}  "), holds("by chance"),
                                 holds("No experiment is left to do")));
  EXPECT_THAT(explain_with({{"VALUE", "2e-3"}, {"tables = \"exact\"\n", ""}}),
              exits(0).out(holds("trn{demote=terms}, exact")));
}

TEST_F(ExplainCommand, ReadsTheRowsOfARun) {
  const auto line = [](Words words) { return testing::run_line(std::move(words)); };
  const std::string run = (directory_.path() / "run").string();
  ASSERT_EQ(line({"run", "-a", "algorithm=dft-gemm", "-a", "mode=ozaki", "-a", "n=16", "-a",
                  "machine=trn{demote=terms}", "-o", run})
                .code,
            0);
  const Words rest = {"--hypotheses",  file("h.toml", hypotheses_text),
                      "--experiments", file("e.toml", experiments_text),
                      "--replays",     "4"};
  const auto explained = [&](const std::string& what) {
    Words words = {"explain", what};
    words.insert(words.end(), rest.begin(), rest.end());
    return line(std::move(words));
  };

  EXPECT_THAT(explained(run), exits(0).out(holds("1 variant fits of 2", "trn{demote=terms}  ")));
  EXPECT_THAT(explained(run + "/results.csv"), exits(0).out("1 variant fits of 2"));

  const std::vector<Row> rows = results::read_run(run);
  const auto of = [&](std::vector<Row> some) {
    return explained(file("some.csv", results::csv_text(some)));
  };
  std::vector<Row> named = rows;
  named[0].where.set(&Case::mode, "fp32-device");
  EXPECT_THAT(of(named),
              exits(2).err(holds("unknown mode 'fp32-device'", "must be names of fftprec")));
  std::vector<Row> nan = rows;
  nan[0].err_l2_rel = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(of(nan), exits(2).err("err_l2_rel = nan cannot be replayed"));
  std::vector<Row> two = rows;
  two.push_back(rows[0]);
  two[1].where.set(&Case::machine, "trn");
  EXPECT_THAT(of(two), exits(2).err("rows of two machines"));
  two.resize(1);
  two[0].status = Status::skipped;
  EXPECT_THAT(of(two), exits(2).err("nothing was measured"));
}

/// Runs of two modes whose tables differ from those that the rows then name.
class ExplainRun : public ExplainCommand {
 protected:
  std::string run(const std::string& name, const std::string& tables) {
    const std::string path = (directory_.path() / name).string();
    EXPECT_EQ(testing::run_line({"run", "-a", "n=64,256", "-a", "mode=fp32,bf16", "-a",
                                 "machine=ieee", "-a", "tables=" + tables, "-o", path})
                  .code,
              0);
    std::vector<Row> rows = results::read_run(path);
    for (Row& row : rows) row.where.set(&Case::tables, "exact");
    return file(name + ".csv", results::csv_text(rows));
  }
};

TEST_F(ExplainRun, FindsTheTablesThatMadeItsErrors) {
  const std::string made = run("made", "fp32-angle");

  const testing::Outcome outcome = testing::run_line({"explain", made, "-f", "mode=fp32"});

  EXPECT_THAT(outcome,
              exits(0).out(holds("made.csv: 2 of 2 measured rows\n"
                                 "likely cause: like fp32-angle tables, P = 1.000\n",
                                 "\n  as named, radix2-dit fp32 n=",
                                 " with exact tables on ieee, err_l2_rel would be ", ": off by ",
                                 "\n  to see it: fftprec run -a transform=fft",
                                 " -a tables=fp32-angle -a n=", "6 hypotheses")));
}

TEST_F(ExplainRun, SaysThatTheArithmeticIsAsNamed) {
  EXPECT_THAT(testing::run_line({"explain", run("same", "exact")}),
              exits(0).out(holds(
                  "columns show the mean\nof 16 replays with jitter",
                  "likely cause: as named, P = ", "so this is the error of the case itself")));
}

TEST_F(ExplainRun, TellsWhichCasesMovedAndWhy) {
  const std::string before = run("before", "exact");
  const std::string after = run("after", "fp32-angle");

  // Tables in bf16 hide where fp32 angles err.
  EXPECT_THAT(
      testing::run_line({"explain", after, "--against", before, "-f", "mode=fp32"}),
      exits(0).out(holds("2 of 2 common cases moved from ", "  ratio  case\n",
                         "\nbefore: as named, P = ", "\nafter: like fp32-angle tables, P = ",
                         "\n\nlikely cause: like fp32-angle tables")));
  EXPECT_THAT(testing::run_line({"explain", before, "--against", before}),
              exits(0).out("0 of 4 common cases moved"));
  EXPECT_THAT(testing::run_line({"explain", before, "--against", before, "-f", "n=8"}),
              exits(2).err(holds("no measured case in common: ",
                                 "has no measured row that is "
                                 "selected")));
  std::vector<Row> other = results::read_run(before);
  std::erase_if(other, [](const Row& row) { return row.where.mode() == "bf16"; });
  for (Row& row : other) row.where.set(&Case::machine, "trn");
  EXPECT_THAT(
      testing::run_line(
          {"explain", file("other.csv", results::csv_text(other)), "--against", before}),
      exits(2).err(
          holds("no measured case in common: machine is ieee in ", "trn in ").but_not("mode is")));
}

TEST_F(ExplainRun, TakesNamesThatStandForOthers) {
  std::vector<Row> rows = results::read_run(
      run("own", "exact"), [](const Row& row) { return row.where.mode() == "bf16"; });
  for (Row& row : rows) {
    row.where.set(&Case::mode, "half-device");
    row.where.set(&Case::machine, "chip");
  }
  const std::string own = file("own_names.csv", results::csv_text(rows));

  EXPECT_THAT(testing::run_line({"explain", own}),
              exits(2).err(holds("unknown mode 'half-device'", "or by -a")));
  EXPECT_THAT(testing::run_line({"explain", own, "-a", "mode=bf16"}),
              exits(0).out("likely cause: as named, P = "));
  EXPECT_THAT(testing::run_line({"explain", own, "-a", "mode=fp32"}),
              exits(0).out("likely cause: like mode bf16, P = "));
}

TEST_F(ExplainRun, RefusesOptionsThatDoNotGoTogether) {
  const std::string some = file("some.csv", results::csv_text(std::vector<Row>{Row{}}));
  EXPECT_THAT(testing::run_line({"explain", "trn1", "-f", "n=64"}),
              exits(2).err("are for the rows of a run: trn1 is neither"));
  EXPECT_THAT(testing::run_line({"explain", some, "--against", some, "--hypotheses", "silicon"}),
              exits(2).err("--hypotheses searches the machine of all rows"));
  EXPECT_THAT(testing::run_line({"explain", some}), exits(2).err("nothing was measured"));
}

TEST_F(ExplainCommand, SaysThatNoneFits) {
  EXPECT_THAT(explain("1.5e-1"), exits(0).out(holds("NONE FITS",
                                                    "THE DISCRIMINATING EXPERIMENT: "
                                                    "dft-gemm ozaki n=")));
}

TEST_F(ExplainCommand, TriesAMachineAndACombinationBesides) {
  const testing::Outcome outcome =
      explain("2e-3", {"--machine", "trn{misread=on}", "--combine", "plain+rounded"});

  EXPECT_THAT(outcome.out, holds("4 hypotheses", "machine trn-misread", "plain+rounded"));
}

TEST_F(ExplainCommand, WritesTextRowsAndFigure) {
  const std::filesystem::path out = directory_.path() / "out";

  const testing::Outcome outcome = explain("2e-3", {"-o", out.string(), "--csv", "-"});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, read_file(out / "explain.csv"));
  EXPECT_THAT(outcome.out, AllOf(StartsWith("rank,tied,refuted,hypothesis,machine,"),
                                 holds("1,no,no,rounded,trn{demote=terms},exact,as named,"),
                                 holds("2e-3"), holds("-a input=torch_randn -a seed=42")));
  EXPECT_THAT(read_file(out / "explain.txt"), holds("1 variant fits"));
  EXPECT_THAT(
      read_file(out / "explain.svg"),
      holds("predicted error / published error", ">rounded trn{demote=terms}").but_not(", exact"));
}

TEST_F(ExplainCommand, NamesNoSeedOfAnExperimentWhereAnyWillDo) {
  const std::string headline = "input torch_randn, err_linf_rel to two digits";

  EXPECT_THAT(explain_with({{"VALUE", "1.5e-1"}, {"seed = 42\n", ""}}).out, holds(headline));
  EXPECT_THAT(explain("1.5e-1").out, holds("input torch_randn, seed 42, err_linf_rel to two"));
}

TEST_F(ExplainCommand, DrawsWhatWasPublishedAsExact) {
  const std::filesystem::path out = directory_.path() / "out";

  EXPECT_THAT(explain("0", {"-o", out.string()}), exits(0));
  const std::string svg = read_file(out / "explain.svg");
  const auto published = testing::elements_of(svg, "rect", "published");
  ASSERT_EQ(published.size(), 1u);
  EXPECT_EQ(published[0].number("height"), 0) << "exact to the last digit";
  EXPECT_FALSE(testing::elements_of(svg, "use", "predicted").empty());
}

TEST_F(ExplainCommand, DrawsAVariantThatPredictsNothingAsNothing) {
  const std::filesystem::path out = directory_.path() / "out";

  EXPECT_THAT(explain_with({{"VALUE", "1e-3"}, {"dft-gemm", "radix2-dit"}, {"n = 16", "n = 12"}},
                           {"-o", out.string()}),
              exits(0));
  const std::string svg = read_file(out / "explain.svg");
  EXPECT_EQ(testing::elements_of(svg, "rect", "published").size(), 1u);
  EXPECT_TRUE(testing::elements_of(svg, "use", "predicted").empty());
}

TEST_F(ExplainCommand, RefusesBadInputWithItsPlace) {
  const auto error_of = [&](const std::string& value, Words more = {}) {
    const testing::Outcome outcome = explain(value, std::move(more));
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };

  EXPECT_THAT(error_of("two"), holds("m.toml:12:9: ", "not a decimal"));
  EXPECT_THAT(error_of("1e-3", {"--machine", "trn-clam"}), holds("mean 'trn-claim'"));
  EXPECT_THAT(error_of("1e-3", {"--combine", "plain"}), holds("needs two"));
  EXPECT_THAT(error_of("1e-3", {"--level", "2"}), holds("--level"));
  EXPECT_THAT(error_of("1e-3", {"--csv", "/nowhere/why.csv"}), holds("/nowhere/why.csv"));
  EXPECT_THAT(error_of("1e-3", {"-o", "/proc/why"}), holds("/proc/why"));
  EXPECT_THAT(testing::run_line({"explain", "trn7"}),
              exits(2).err(holds("trn7", "known: trn1, trn2").but_not("Segmentation")));
}

}  // namespace
}  // namespace fftprec::commands

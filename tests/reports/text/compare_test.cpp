#include "reports/text/compare.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "experiments/cases/axes.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::text {
namespace {

using ::testing::ElementsAre;
using testing::error_text;
using testing::exits;
using testing::holds;
using testing::Outcome;
using testing::TemporaryDirectory;
using testing::text_of;
using testing::Words;
using testing::write_text;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

Row row_of(std::uint64_t n, std::optional<double> error, const std::string& hash = "a") {
  Row row;
  row.where.set(&Case::n, n);
  row.err_l2_rel = error;
  row.output_hash = hash;
  return row;
}

RunComparison compare(const std::vector<Row>& before, const std::vector<Row>& after) {
  return compare_runs(before, after, column_named("err_l2_rel"));
}

std::optional<double> ratio(std::optional<double> before, std::optional<double> after) {
  const RunComparison result = compare({row_of(8, before, "a")}, {row_of(8, after, "b")});
  return result.moved.at(0).ratio;
}

TEST(CompareRuns, FindsNothingBetweenRunsThatDifferInTimeAlone) {
  Row before = row_of(8, 1.0);
  Row after = before;
  before.time_ns = 1;
  after.time_ns = 2;

  const RunComparison result = compare({before}, {after});

  EXPECT_TRUE(result.same());
  EXPECT_EQ(result.cases, 1u);
  EXPECT_TRUE(result.columns.empty());
}

TEST(CompareRuns, TakesNoDifferenceFromColumnsThatAnOlderRunLacks) {
  Row after = row_of(8, 1.0);
  after.gain = 0.5;

  EXPECT_TRUE(compare({row_of(8, 1.0)}, {after}).same());
  EXPECT_FALSE(compare({row_of(8, std::nullopt)}, {after}).same());
}

TEST(CompareRuns, PairsByCaseInAnyOrder) {
  const RunComparison result = compare({row_of(16, 2.0), row_of(8, 1.0), row_of(4, 1.0)},
                                       {row_of(8, 1.0), row_of(32, 1.0), row_of(16, 3.0)});

  EXPECT_EQ(result.cases, 2u);
  ASSERT_EQ(result.moved.size(), 1u);
  EXPECT_EQ(result.moved[0].where.n, 16u);
  EXPECT_EQ(result.moved[0].ratio, 1.5);
  ASSERT_EQ(result.only_before.size(), 1u);
  EXPECT_EQ(result.only_before[0].n, 4u);
  ASSERT_EQ(result.only_after.size(), 1u);
  EXPECT_EQ(result.only_after[0].n, 32u);
}

TEST(CompareRuns, GivesZeroInfinityAndNanTheirMeanings) {
  EXPECT_EQ(ratio(1.0, 2.0), 2.0);
  EXPECT_EQ(ratio(0.0, 0.0), 1.0);
  EXPECT_EQ(ratio(0.0, 1e-9), inf);
  EXPECT_EQ(ratio(1e-9, 0.0), 0.0);
  EXPECT_EQ(ratio(inf, inf), 1.0);
  EXPECT_EQ(ratio(1.0, inf), inf);
  EXPECT_EQ(ratio(not_a_number, not_a_number), 1.0);
  EXPECT_EQ(ratio(1.0, not_a_number), std::nullopt);
  EXPECT_EQ(ratio(not_a_number, 1.0), std::nullopt);
  EXPECT_EQ(ratio(std::nullopt, 1.0), std::nullopt);
  EXPECT_EQ(ratio(std::nullopt, std::nullopt), 1.0);
}

TEST(CompareRuns, OrdersByWhatIsWorst) {
  const RunComparison result =
      compare({row_of(1, 1.0), row_of(2, 1.0), row_of(3, 1.0), row_of(4, 1.0), row_of(5, 1.0)},
              {row_of(1, 0.5), row_of(2, 2.0), row_of(3, not_a_number), row_of(4, inf),
               row_of(5, 1.0, "b")});

  std::vector<std::uint64_t> order;
  for (const MovedCase& moved : result.moved) order.push_back(moved.where.n);
  EXPECT_THAT(order, ElementsAre(3, 4, 2, 5, 1));
}

TEST(CompareRuns, PutsACaseThatFailsNowFirst) {
  Row failed = row_of(8, std::nullopt, "");
  failed.status = Status::failed;
  failed.message = "no luck";

  const RunComparison result =
      compare({row_of(8, std::nullopt, ""), row_of(16, 1.0)}, {failed, row_of(16, 99.0)});

  ASSERT_EQ(result.moved.size(), 2u);
  EXPECT_EQ(result.moved[0].where.n, 8u);
  EXPECT_TRUE(result.moved[0].has("status"));
  EXPECT_TRUE(result.moved[0].has("message"));
  EXPECT_EQ(result.moved[0].ratio, std::nullopt);
}

TEST(CompareRuns, SumsUpByAlgorithmAndMode) {
  std::vector<Row> before = {row_of(1, 1.0), row_of(2, 1.0), row_of(3, 1.0), row_of(4, 0.0)};
  std::vector<Row> after = {row_of(1, 4.0, "b"), row_of(2, 0.25), row_of(3, 1.0), row_of(4, 1.0)};
  before.push_back(row_of(5, 1.0));
  before.back().where.set(&Case::mode, "bf16");
  after.push_back(before.back());
  after.push_back(row_of(6, 1.0));

  const RunComparison result = compare(before, after);

  ASSERT_EQ(result.groups.size(), 2u);
  const MovedGroup& bf16 = result.groups[0];
  EXPECT_THAT(bf16.names, ElementsAre("radix2-dit", "bf16"));
  EXPECT_EQ(bf16.cases, 1u);
  EXPECT_EQ(bf16.moved, 0u);
  EXPECT_EQ(bf16.worst, 1.0);
  const MovedGroup& fast = result.groups[1];
  EXPECT_THAT(fast.names, ElementsAre("radix2-dit", "fp32"));
  EXPECT_EQ(fast.cases, 4u);
  EXPECT_EQ(fast.moved, 3u);
  EXPECT_EQ(fast.hashes, 1u);
  EXPECT_EQ(fast.worst, inf);
  EXPECT_EQ(fast.best, 0.25);
  EXPECT_DOUBLE_EQ(fast.mean, 1.0);
  EXPECT_EQ(result.columns.at("err_l2_rel"), 3u);
  EXPECT_EQ(result.columns.at("output_hash"), 1u);
}

TEST(CompareRuns, ReportsTheBestOfAGroupThatOnlyGotWorse) {
  const RunComparison result = compare({row_of(1, 1.0)}, {row_of(1, 4.0)});

  EXPECT_EQ(result.groups.at(0).best, 4.0);
  EXPECT_EQ(result.groups.at(0).mean, 4.0);
}

TEST(CompareRuns, RefusesTwoRowsOfOneCase) {
  EXPECT_THAT(error_text([] {
                compare({row_of(8, 1.0)}, {row_of(8, 1.0), row_of(8, 2.0)});
              }),
              holds("the second run has two rows of -a transform=fft"));
}

/// Of that machine and mode.
Row on(const std::string& machine, std::optional<double> error, const std::string& mode = "fp32",
       std::uint64_t n = 8) {
  Row row = row_of(n, error);
  row.where.set(&Case::machine, machine);
  row.where.set(&Case::mode, mode);
  return row;
}

const Column* axis(std::string_view name) { return &axis_columns()[axis_index(name)]; }

TEST(CompareIgnoring, PairsCasesThatDifferInTheIgnoredAxesAlone) {
  const RunComparison result = compare_runs(
      std::vector<Row>{on("trn1", 1.0), on("trn1", 1.0, "fp32", 16), on("trn1", 4.0, "kahan")},
      std::vector<Row>{on("trn2", 2.0, "kahan"), on("trn2", 1.0), on("trn1", 3.0, "fp32", 16),
                       on("trn2", 3.0, "bf16")},
      column_named("err_l2_rel"), {axis("machine")});

  EXPECT_EQ(result.cases, 3u);
  ASSERT_EQ(result.moved.size(), 2u) << "equal errors, hashes and bounds are no difference";
  EXPECT_EQ(result.moved[0].ratio, 3.0);
  EXPECT_EQ(result.moved[1].where, on("trn1", 1.0, "kahan").where);
  EXPECT_EQ(result.moved[1].partner, on("trn2", 1.0, "kahan").where);
  EXPECT_TRUE(result.only_before.empty());
  ASSERT_EQ(result.only_after.size(), 1u);
  EXPECT_EQ(result.only_after[0], on("trn2", 1.0, "bf16").where);
  ASSERT_EQ(result.groups.size(), 3u);
  EXPECT_THAT(result.groups[0].names, ElementsAre("radix2-dit", "fp32", "trn1"));
  EXPECT_THAT(result.groups[1].names, ElementsAre("radix2-dit", "fp32", "trn1 -> trn2"));
  EXPECT_THAT(result.groups[2].names, ElementsAre("radix2-dit", "kahan", "trn1 -> trn2"));
}

TEST(CompareIgnoring, PairsByNumbersAndSeveralAxesToo) {
  Row after = on("trn2", 1.0, "kahan", 16);
  after.where.set(&Case::seed, 7);
  const auto pairs = [&](const std::vector<const Column*>& ignored) {
    return compare_runs(std::vector<Row>{on("trn1", 1.0)}, std::vector<Row>{after},
                        column_named("err_l2_rel"), ignored)
        .cases;
  };

  EXPECT_EQ(pairs({axis("machine"), axis("mode"), axis("n"), axis("seed")}), 1u);
  EXPECT_EQ(pairs({axis("machine"), axis("mode"), axis("n")}), 0u);
}

TEST(CompareIgnoring, SaysWhichValuesCollideAndHowToChoose) {
  const std::vector<Row> one = {on("trn1", 1.0)};
  const std::vector<Row> several = {on("trn1", 1.0), on("trn2", 1.0), on("trn2", 1.0, "kahan")};
  const auto error = [](const std::vector<Row>& before, const std::vector<Row>& after,
                        const std::vector<const Column*>& ignored) {
    return error_text([&] { compare_runs(before, after, column_named("err_l2_rel"), ignored); });
  };

  EXPECT_THAT(error(one, several, {axis("machine")}),
              holds("the second run has 2 rows that differ only in machine=trn1,trn2",
                    "--filter-after \"machine=trn1\""));
  EXPECT_THAT(error(several, one, {axis("machine"), axis("mode"), axis("seed")}),
              holds("the first run has 3 rows that differ only in machine=trn1,trn2 and "
                    "mode=fp32,kahan",
                    "--filter-before \"machine=trn1 and mode=fp32\""));
  EXPECT_THAT(error({on("trn2", 1.0), on("trn1", 1.0), on("trn1", 2.0)}, one, {axis("machine")}),
              holds("the first run has two rows of -a transform=fft"));
}

class CompareCommand : public ::testing::Test {
 protected:
  CompareCommand() {
    put("a.csv", {row_of(8, 1.0), row_of(16, 1.0), row_of(64, 1.0), row_of(128, 1.0)});
    put("b.csv", {row_of(8, 2.0, "b"), row_of(16, 1.5), row_of(64, 1.0), row_of(256, 1.0)});
  }

  void put(const std::string& name, const std::vector<Row>& rows) {
    std::string text = results::csv_header();
    for (const Row& row : rows) text += results::to_csv(row);
    write_text(directory_ / name, text);
  }

  Outcome run(const Words& more = {}, const std::string& after = "b.csv") {
    Words words = {"compare", directory_ / "a.csv", directory_ / after};
    words.insert(words.end(), more.begin(), more.end());
    return testing::run_line(words);
  }

  TemporaryDirectory directory_;
};

TEST_F(CompareCommand, TellsWhatMoved) {
  const Outcome outcome = run();

  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out,
              holds("3 cases in both runs: 2 moved; 1 missing, 1 new\n"
                    "rows that differ in err_l2_rel: 2 output_hash: 1\n",
                    "algorithm   mode  cases  moved  hashes  worst     mean  best",
                    "radix2-dit  fp32      3      2       1      2  1.44225     1",
                    "missing, in the first run only:\n  -a transform=fft", "-a n=256 "));
  EXPECT_THAT(
      outcome.out,
      holds("err_l2_rel, worst first; of all: transform=fft machine=trn tables=exact batch=1 "
            "input=gaussian seed=1\n"
            "  case                                 before  after  ratio  also moved\n"
            "  algorithm=radix2-dit mode=fp32 n=8        1      2      2  output_hash\n"
            "  algorithm=radix2-dit mode=fp32 n=16       1    1.5    1.5\n"));
}

/// Every metric moves in one case, all but one in the other.
TEST_F(CompareCommand, FitsATerminalWhateverMoves) {
  std::vector<Row> before = {row_of(8, 1.0), row_of(16, 1.0)};
  for (Row& row : before) {
    row.where.set(&Case::mode, "custom(p=11,emin=-14,emax=15)");
    row.gain = 1;
  }
  std::vector<Row> after = before;
  for (Row& row : after)
    for (const Column& column : columns())
      if (column.metric && column.name != "time_ns" &&
          !(column.name == "gain" && row.where.n() == 16))
        column.parse(row, "2");
  after[1].output_hash = "b";
  put("a.csv", before);
  put("b.csv", after);

  const Outcome outcome = run();

  EXPECT_THAT(outcome.out, holds("n=8        1      2      2  gain\n", "2  output_hash\n"));
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("before:") && !line.starts_with("after:"))
      EXPECT_LE(line.size(), 120u) << line;
}

/// The cells of the later axes, each at its default.
std::string later_defaults() {
  std::string cells;
  for (const LaterAxis& axis : later_axes) cells += "," + Case{}.*axis.value;
  return cells;
}

TEST_F(CompareCommand, ComparesTwoMachinesOfOneRun) {
  put("a.csv", {on("trn1", 1.0), on("trn2{m_tile=64,n_tile=64}", 2.0)});
  const Words ignoring = {"--ignore", "machine", "--csv", directory_ / "moved.csv"};
  Words words = ignoring;
  words.insert(words.end(), {"--filter-before", "machine=trn1", "--filter-after",
                             "machine=trn2{m_tile=64,n_tile=64}"});

  EXPECT_THAT(
      run(words, "a.csv"),
      exits(0).out(holds("1 case in both runs, any machine: 1 moved; 0 missing, 0 new\n"
                         "rows that differ in err_l2_rel: 1\n",
                         "by algorithm, mode and machine (mean: geometric)",
                         "radix2-dit  fp32  trn1 -> trn2{m_tile=64,n_tile=64}      1      1",
                         "algorithm=radix2-dit mode=fp32 n=8       1      2      2  trn1 -> "
                         "trn2{m_tile=64,n_tile=64}\n")));
  EXPECT_THAT(text_of(directory_ / "moved.csv"),
              holds("ratio,columns,machine_after\n",
                    ",fft,radix2-dit,fp32,trn1,exact,8,1,gaussian,1" + later_defaults() +
                        ",moved,err_l2_rel,1,2,2,err_l2_rel,\"trn2{m_tile=64,n_tile=64}\"\n"));
  words.insert(words.end(), {"--metric", "gain"});
  Row biased = on("trn2{m_tile=64,n_tile=64}", 2.0);
  biased.gain = 1 - 2.6e-7;
  put("a.csv", {on("trn1", 1.0), biased});
  EXPECT_THAT(run(words, "a.csv").out, holds("  -  0.99999974      -  "));
  EXPECT_EQ(run(ignoring, "a.csv").code, 2);
  EXPECT_THAT(run({"--ignore", "machin"}).err, holds("did you mean 'machine'?"));
  EXPECT_THAT(run({"--ignore", "err_l2_rel"}).err, holds("unknown axis 'err_l2_rel'"));
  EXPECT_EQ(run({"--ignore", ""}, "a.csv").code, 0);
}

/// Sorted rows are read side by side, others in memory.
TEST_F(CompareCommand, DoesNotDependOnTheOrderOfRows) {
  std::vector<Row> before;
  std::vector<Row> after;
  for (std::uint64_t n = 1; n <= 60; ++n) {
    if (n % 7 != 0) before.push_back(row_of(n, 1.0, "a"));
    if (n % 11 != 0) after.push_back(row_of(n, n % 5 == 0 ? 1.0 : static_cast<double>(n), "a"));
  }
  after[3].err_l2_rel = not_a_number;
  after[4].err_l2_rel = 0;
  const auto found = [&](const Words& more) {
    put("a.csv", before);
    put("b.csv", after);
    Words words = {"--csv", directory_ / "moved.csv"};
    words.insert(words.end(), more.begin(), more.end());
    const std::string out = run(words).out;
    return out + text_of(directory_ / "moved.csv");
  };
  const std::string sorted = found({});
  const std::string five = found({"--limit", "5"});
  EXPECT_THAT(sorted, holds("47 cases in both runs: 37 moved; 5 missing, 8 new\n", "and 17 more"));
  EXPECT_THAT(five, holds("and 32 more\n", "and 3 more\n"));

  std::ranges::reverse(after);

  EXPECT_EQ(found({}), sorted);
  EXPECT_EQ(found({"--limit", "5"}), five);
}

TEST_F(CompareCommand, GivesExitCodes) {
  EXPECT_EQ(run({"--exit-code"}).code, 1);
  EXPECT_EQ(run({"--exit-code"}, "a.csv").code, 0);
  EXPECT_EQ(run({"-f", "n=64", "--exit-code"}).code, 0);
  EXPECT_EQ(run({"-f", "n=128", "--exit-code"}).code, 4);
  EXPECT_EQ(run({"-f", "n=512"}).code, 4);
  EXPECT_EQ(run({}, "c.csv").code, 2);
  EXPECT_THAT(run({"--metric", "mode"}).err, holds("unknown metric 'mode'"));
  EXPECT_THAT(run({"--metric", "err_l2"}).err, holds("did you mean 'err_l2_rel'?"));
}

TEST_F(CompareCommand, PrintsNoMoreCasesThanAsked) {
  EXPECT_THAT(run({"--limit", "1"}).out, holds("and 1 more").but_not("n=16 "));
  EXPECT_THAT(run({"--limit", "0"}).out, holds("n=16 ").but_not("more"));
}

TEST_F(CompareCommand, WritesEveryCaseToACsv) {
  EXPECT_EQ(run({"--csv", directory_ / "moved.csv"}).code, 0);

  const std::string later = later_defaults();
  const std::string text = text_of(directory_ / "moved.csv");
  EXPECT_THAT(text, holds(fmt::format("case_id,{},what,metric,before,after,ratio,columns\n",
                                      fmt::join(axis_names(), ",")),
                          ",fft,radix2-dit,fp32,trn,exact,8,1,gaussian,1" + later +
                              ",moved,err_l2_rel,1,2,2,err_l2_rel output_hash\n",
                          ",128,1,gaussian,1" + later + ",missing,,,,,\n",
                          ",256,1,gaussian,1" + later + ",new,,,,,\n"));
}

}  // namespace
}  // namespace fftprec::text

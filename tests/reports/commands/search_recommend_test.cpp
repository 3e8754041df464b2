/// `fftprec search` and `fftprec recommend`: words in, tables, files and exit codes out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"
#include "reports/commands/commands.hpp"
#include "reports/figures/recommend.hpp"
#include "reports/figures/svg.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/svg.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

namespace {

Outcome line(std::vector<std::string> words) {
  return run_line(std::move(words), commands::real_case_functions());
}

/// What follows `key` up to the next of `ends`.
std::string after(const std::string& text, const std::string& key, const std::string& ends) {
  const std::size_t at = text.find(key);
  if (at == std::string::npos) return {};
  const std::size_t start = at + key.size();
  return text.substr(start, text.find_first_of(ends, start) - start);
}

std::vector<std::string> search_words(const std::string& file) {
  return {"search",   "-a",        "algorithm=radix2-dit",
          "-a",       "mode=bf16", "-a",
          "n=16",     "--budget",  "2000",
          "--random", "50",        "-j",
          "2",        "-o",        file};
}

std::vector<std::string> recommend_words(const std::string& budget) {
  return {"recommend",
          "--n",
          "64",
          "--max",
          budget,
          "--algorithm",
          "dft-gemm,radix2-dit",
          "--mode",
          "bf16,fast",
          "--input",
          "gaussian",
          "--seeds",
          "1"};
}

}  // namespace

TEST(SearchCommand, PrintsACommandThatGivesTheSameError) {
  const TemporaryDirectory directory;
  const std::string file = (directory / "worst.npy").string();
  const Outcome found = line(search_words(file));
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out,
              AllOf(HasSubstr("rounding tree"), HasSubstr("local search"),
                    HasSubstr("times the worst of 50 random inputs"), HasSubstr("% of its bound")));
  EXPECT_THAT(found.err, HasSubstr("2000 of 2000 inputs judged"));
  const Outcome again = line(shown_command(found.out));
  ASSERT_EQ(again.code, 0) << again.err;
  const std::vector<Row> rows = results::parse_csv(again.out, "again");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(shortest(*rows[0].err_l2_rel), after(found.out, "worst found: err_l2_rel = ", ","));
  // The same bytes from the same words.
  const std::string first = text_of(file);
  EXPECT_EQ(line(search_words(file)).out, found.out);
  EXPECT_EQ(text_of(file), first);
}

TEST(SearchCommand, WritesItsTableAsCsv) {
  const TemporaryDirectory directory;
  std::vector<std::string> words = search_words((directory / "worst.npy").string());
  words.insert(words.end(), {"--csv", "-", "--metric", "err_over_bound"});
  const Outcome found = line(words);
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out,
              StartsWith("family,worst_input,inputs,err_over_bound,over_worst_random\n"));
  EXPECT_THAT(found.out, HasSubstr("\nlocal search,"));
  EXPECT_THAT(found.err, HasSubstr("worst found: err_over_bound = 0."));
  const double share = std::stod(after(found.err, "worst found: err_over_bound = ", ","));
  EXPECT_LE(share, 1);
  // What the search scored is what a row of the kept file says.
  const std::string local = after(found.out, "\nlocal search,", "\n");
  ASSERT_THAT(local, HasSubstr(",451,"));
  EXPECT_EQ(after(local, ",451,", ","), shortest(share));
}

TEST(SearchCommand, HasNoRatioWhereRandomInputsAreExact) {
  const TemporaryDirectory directory;
  const Outcome found = line({"search", "-a", "algorithm=dft-gemm", "-a", "n=1", "--budget", "1600",
                              "--random", "3", "-o", (directory / "one.npy").string()});
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out,
              AllOf(HasSubstr("err_l2_rel = 0, - times the worst"), Not(HasSubstr("nan"))));
}

TEST(SearchCommand, NamesWhatIsWrong) {
  const TemporaryDirectory directory;
  const std::string file = (directory / "worst.npy").string();
  const auto message = [&](std::vector<std::string> words, int code) {
    words.insert(words.begin(), {"search", "-o", file});
    const Outcome outcome = line(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_THAT(message({"-a", "n=16", "--metric", "err_l2"}, 2), HasSubstr("err_l2_rel"));
  EXPECT_THAT(message({"-a", "n=16,32"}, 2), HasSubstr("the axes name 2 cases, not one"));
  EXPECT_THAT(message({"-a", "n=16", "-a", "input=tone"}, 2), HasSubstr("what is looked for"));
  EXPECT_THAT(message({"-a", "n=16", "-a", "batch=2"}, 2), HasSubstr("batch = 2"));
  EXPECT_THAT(message({"-a", "n=16", "--budget", "0"}, 2), HasSubstr("--budget"));
  EXPECT_THAT(message({}, 2), Not(HasSubstr("judged")));
  EXPECT_THAT(message({"-a", "n=16", "--csv", "/no/such/table.csv"}, 2),
              AllOf(HasSubstr("/no/such/table.csv"), Not(HasSubstr("judged"))));
  EXPECT_THAT(message({"-a", "algorithm=stockham-r4", "-a", "n=8"}, 4), HasSubstr("4^k"));
  EXPECT_THAT(line({"search", "-a", "n=16", "-o", "/no/such/place.npy"}).err,
              HasSubstr("/no/such/place.npy"));
}

TEST(RecommendCommand, SaysWhatToTakeAndWhatTheRanksAreWorth) {
  const Outcome outcome = line(recommend_words("err_l2_rel=1e-3"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(
      outcome.out,
      AllOf(HasSubstr("err_l2_rel <= 0.001, measured and bound"),
            HasSubstr("recommended: dft-gemm in fast, "),
            HasSubstr("4 choices, 0 without a meaning or a count; "), HasSubstr("measured "),
            HasSubstr("*"), HasSubstr("Ranked by counted work"), HasSubstr(" cycles in "),
            HasSubstr("published for trn1"), HasSubstr("fftprec run -a transform=fft")));
  EXPECT_THAT(outcome.err, HasSubstr("4 of 4 cases measured"));
  const std::vector<Row> rows = results::parse_csv(line(shown_command(outcome.out)).out, "again");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_LE(*rows[0].err_l2_rel, 1e-3);
}

TEST(RecommendCommand, ShowsNoTimesAndClaimsNoneForAMachineThatIsNoTrainium) {
  std::vector<std::string> words = recommend_words("err_l2_rel=1e-3");
  words.insert(words.end(), {"--machine", "nv-hopper", "--csv", "-"});

  const Outcome outcome = line(words);

  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("No latency of these choices was published for trn1: no times."),
                    HasSubstr("of its time the ranks say nothing"), Not(HasSubstr(" us,"))));
  std::istringstream rows(outcome.out);
  std::string row;
  std::getline(rows, row);
  while (std::getline(rows, row)) {
    const std::vector<std::string> cells = split_list(row);
    EXPECT_EQ(cells.at(6), "") << row << ": published_us";
    EXPECT_EQ(cells.at(12), "0") << row << ": fastest";
  }
  EXPECT_THAT(line(recommend_words("err_l2_rel=1e-3")).out, Not(HasSubstr("ranks say nothing")));
}

TEST(RecommendCommand, TakesOtherNamesOfModes) {
  std::vector<std::string> words = recommend_words("err_l2_rel=1e-3");
  words.insert(words.end(), {"--batch", "1k", "--patience", "1m"});
  *(std::find(words.begin(), words.end(), "--mode") + 1) = "fp32";

  EXPECT_THAT(line(words).out, AllOf(HasSubstr("dft-gemm in fast, "), HasSubstr("batch 1024")));
}

TEST(RecommendCommand, ExitsWithFourWhereNothingIsWithinTheBudget) {
  const Outcome outcome = line(recommend_words("err_l2_rel=1e-20"));
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("nothing is within the budget; closest: "),
                                 HasSubstr("times too large"), Not(HasSubstr("recommended: "))));
  std::vector<std::string> odd = recommend_words("err_l2_rel=1");
  odd[2] = "63";
  odd[6] = "radix2-dit";
  const Outcome no_length = line(odd);
  EXPECT_EQ(no_length.code, 4);
  EXPECT_THAT(no_length.err, HasSubstr("nothing to recommend: "));
}

TEST(RecommendCommand, WritesAllChoicesAsCsvAndDrawsThem) {
  const TemporaryDirectory directory;
  const std::string file = (directory / "choices.csv").string();
  std::vector<std::string> words = recommend_words("err_l2_rel=1e-3");
  words.insert(words.end(), {"--csv", file, "-o", (directory / "plots").string()});
  ASSERT_EQ(line(words).code, 0);
  const std::string csv = text_of(file);
  EXPECT_THAT(csv, StartsWith("algorithm,mode,tensor_cycles,vector_cycles,tensor_calls,"
                              "vector_calls,published_us,interpolated,err_l2_rel,bound_l2_rel,"
                              "on_front,recommended,fastest\n"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  EXPECT_TRUE(std::filesystem::exists(directory / "plots" / "error_vs_work.svg"));
}

TEST(RecommendCommand, NamesWhatIsWrong) {
  const auto message = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"recommend"});
    const Outcome outcome = line(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(message({"--n", "64"}), HasSubstr("--max is missing"));
  EXPECT_THAT(message({"--max", "err_l2_rel=1"}), HasSubstr("--n is missing"));
  EXPECT_THAT(message({"--n", "64", "--max", "err_l2=1e-3"}), HasSubstr("err_l2_rel"));
  EXPECT_THAT(message({"--n", "64", "--max", "err_l2_rel=-1"}),
              HasSubstr("err_l2_rel=-1: expected a number from 0 on"));
  EXPECT_THAT(message({"--n", "64", "--max", "err_max_ulp=3"}), HasSubstr("--by measured"));
  EXPECT_THAT(message({"--n", "64", "--max", "err_l2_rel=1", "--by", "theory"}),
              HasSubstr("measured, bound, both"));
  EXPECT_THAT(message({"--n", "64", "--max", "err_l2_rel=1", "--hardware", "trn4"}),
              HasSubstr("trn1, trn2, trn3"));
  EXPECT_THAT(message({"--n", "64", "--max", "err_l2_rel=1", "--machine", "tnr"}),
              HasSubstr("trn"));
  EXPECT_THAT(message({"--n", "0", "--max", "err_l2_rel=1"}), HasSubstr("--n"));
  EXPECT_THAT(message({"--n", "64", "--max", "err_l2_rel=1", "--csv", "/nowhere/a.csv"}),
              AllOf(HasSubstr("/nowhere/a.csv"), Not(HasSubstr("measured"))));
  EXPECT_THAT(message({"--n", "64", "--max", "err_l2_rel=1", "-o", "/proc/a"}),
              AllOf(HasSubstr("/proc/a"), Not(HasSubstr("measured"))));
}

TEST(RecommendFigures, HoldEveryPoint) {
  const devices::RecommendRequest request{.where = {.n = 8}, .budget = {.largest = 0.5}};
  devices::Recommendation result;
  result.choices = {{.algorithm = "cheap",
                     .mode = "a",
                     .work = {.calls = {}, .cycles = {.vector = 1}},
                     .measured = 0.25,
                     .bound = {},
                     .judged = 0.25,
                     .on_front = true},
                    {.algorithm = "beaten",
                     .mode = "b",
                     .work = {.calls = {}, .cycles = {.vector = 2}},
                     .measured = 0.5,
                     .bound = {},
                     .judged = 0.5},
                    {.algorithm = "exact",
                     .mode = "c",
                     .work = {.calls = {}, .cycles = {.vector = 3}},
                     .measured = 0,
                     .bound = {},
                     .judged = 0,
                     .on_front = true}};
  result.best = 0;
  const figures::Figure figure = figures::recommend_figure(result, request);
  const auto layer = [](const figures::Figure& of, const std::string& part, figures::Form form) {
    for (const figures::Layer& each : of.panels.at(0).layers)
      if (each.part == part && each.form == form) return each;
    throw std::out_of_range(part);
  };
  const figures::Layer others = layer(figure, "choices", figures::Form::points);
  ASSERT_EQ(others.spots.size(), 1u);
  EXPECT_EQ(others.spots[0].x, 2);
  EXPECT_EQ(others.spots[0].y, 0.5);
  EXPECT_THAT(others.spots[0].tip, HasSubstr("algorithm beaten, mode b, n "));
  const figures::Layer front = layer(figure, "front", figures::Form::points);
  ASSERT_EQ(front.spots.size(), 2u);
  EXPECT_EQ(front.spots[0].x, 1);
  EXPECT_EQ(front.spots[1].y, 0);
  EXPECT_EQ(figure.panels[0].y.ticks.back().label.text, "exact");
  ASSERT_EQ(figure.legend.size(), 3u) << "a heading and the front";
  EXPECT_EQ(figure.legend[1].name, "1  cheap, a  (recommended)");
  EXPECT_EQ(figure.legend[2].name, "2  exact, c");
  EXPECT_EQ(text_problem(figures::svg_document(figure)), "");
}

}  // namespace fftprec::testing

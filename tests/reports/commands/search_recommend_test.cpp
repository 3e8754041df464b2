/// `fftprec search` and `fftprec recommend`: words in, tables, files and exit codes out.
#include <gmock/gmock.h>

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
#include "tests/support/fragments.hpp"
#include "tests/support/svg.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {

using ::testing::StartsWith;

namespace {

Outcome line(Words words) { return run_line(std::move(words)); }

/// What follows `key` up to the next of `ends`.
std::string after(const std::string& text, const std::string& key, const std::string& ends) {
  const std::size_t at = text.find(key);
  if (at == std::string::npos) return {};
  const std::size_t start = at + key.size();
  return text.substr(start, text.find_first_of(ends, start) - start);
}

Words search_words(const std::string& file) {
  return {"search",   "-a",        "algorithm=radix2-dit",
          "-a",       "mode=bf16", "-a",
          "n=16",     "--budget",  "2000",
          "--random", "50",        "-j",
          "2",        "-o",        file};
}

Words recommend_words(const std::string& budget) {
  return {"recommend",
          "--n",
          "64",
          "--max",
          budget,
          "--algorithm",
          "dft-gemm,radix2-dit",
          "--mode",
          "bf16,fp32",
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
  EXPECT_THAT(found.out, holds("rounding tree", "local search",
                               "times the worst of 50 random inputs", "% of its bound"));
  EXPECT_THAT(found.err, holds("2000 of 2000 inputs judged"));
  const Outcome again = line(shown_command(found.out));
  ASSERT_EQ(again.code, 0) << again.err;
  const std::vector<Row> rows = results::parse_csv(again.out, "again");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(exact_number(*rows[0].err_l2_rel), after(found.out, "worst found: err_l2_rel = ", ","));
  // The same bytes from the same words.
  const std::string first = text_of(file);
  EXPECT_EQ(line(search_words(file)).out, found.out);
  EXPECT_EQ(text_of(file), first);
}

TEST(SearchCommand, WritesItsTableAsCsv) {
  const TemporaryDirectory directory;
  Words words = search_words((directory / "worst.npy").string());
  words.insert(words.end(), {"--csv", "-", "--metric", "err_over_bound"});
  const Outcome found = line(words);
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out,
              StartsWith("family,worst_input,inputs,err_over_bound,over_worst_random\n"));
  EXPECT_THAT(found.out, holds("\nlocal search,"));
  EXPECT_THAT(found.err, holds("worst found: err_over_bound = 0."));
  const double share = std::stod(after(found.err, "worst found: err_over_bound = ", ","));
  EXPECT_LE(share, 1);
  // What the search scored is what a row of the kept file says.
  const std::string local = after(found.out, "\nlocal search,", "\n");
  ASSERT_THAT(local, holds(",451,"));
  EXPECT_EQ(after(local, ",451,", ","), shortest(share));
}

TEST(SearchCommand, FindsDigitsThatARunReadsAgain) {
  const TemporaryDirectory directory;
  const std::string file = (directory / "digits.npy").string();
  const Words product{"search",   "-a",        "transform=product:pair",
                      "-a",       "mode=fp64", "-a",
                      "n=4",      "-o",        file,
                      "--budget", "1600",      "--random",
                      "10"};
  const auto with = [&](Words more) {
    more.insert(more.begin(), product.begin(), product.end());
    return line(more);
  };
  const auto again = [](const Outcome& found) {
    const Outcome outcome = line(shown_command(found.out));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return results::parse_csv(outcome.out, "again").at(0);
  };
  const Outcome worst = with({"-a", "input=integers:bits=27"});
  ASSERT_THAT(worst, exits(0).out(holds("err_linf_abs of 10 random inputs", "few digits",
                                        "% of its bound", "(bound_linf_abs)", " wrong\n")));
  EXPECT_EQ(exact_number(*again(worst).err_linf_abs),
            after(worst.out, "worst found: err_linf_abs = ", ","));
  EXPECT_EQ(
      line({"measure", "--input", file, "--output", file, "--transform", "product:pair"}).code,
      2);  // digits are no result, but the file is one of digits

  const Outcome least = with({"-a", "input=integers:bits=27", "--least", "energy"});
  ASSERT_THAT(least, exits(0).out(holds("least sum of squares", "least found: a sum of squares of",
                                        "makes a coefficient wrong", "coefficient")));
  EXPECT_GE(*again(least).wrong_coefficients, 1u);

  const Outcome bits = with({"--least", "bits"});
  ASSERT_THAT(bits, exits(0).out(holds("bits make a coefficient wrong", "proven to be right: ")));
  EXPECT_GE(*again(bits).wrong_coefficients, 1u);
  EXPECT_THAT(with({"--least", "bits", "--csv", "-"}),
              exits(0).out(holds("bits,bound_linf_abs,err_linf_abs,family\n")));
  EXPECT_THAT(with({"-a", "input=integers:bits=8", "--least", "energy"}),
              exits(0).out(holds("no wrong coefficient was found; worst: err_linf_abs = ",
                                 "no coefficient is wrong")));
}

TEST(SearchCommand, HasNoRatioWhereRandomInputsAreExact) {
  const TemporaryDirectory directory;
  ASSERT_THAT(line({"search", "-a", "algorithm=dft-gemm", "-a", "n=1", "--budget", "1600",
                    "--random", "3", "-o", (directory / "one.npy").string()}),
              exits(0).out(holds("err_l2_rel = 0, - times the worst").but_not("nan")));
}

TEST(SearchCommand, NamesWhatIsWrong) {
  const TemporaryDirectory directory;
  const std::string file = (directory / "worst.npy").string();
  const auto message = [&](Words words, int code) {
    words.insert(words.begin(), {"search", "-o", file});
    const Outcome outcome = line(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_THAT(message({"-a", "n=16", "--metric", "err_l2"}, 2), holds("err_l2_rel"));
  EXPECT_THAT(message({"-a", "n=16,32"}, 2), holds("the axes name 2 cases, not one"));
  EXPECT_THAT(message({"-a", "n=16", "-a", "input=tone"}, 2),
              holds("the command searches the input"));
  EXPECT_THAT(message({"-a", "n=16", "--least", "bits"}, 2), holds("transform=product"));
  EXPECT_THAT(message({"-a", "n=16", "--least", "words"}, 2), holds("must be bits or energy"));
  EXPECT_THAT(message({"-a", "n=16", "-a", "transform=product", "--least", "bits", "--metric",
                       "err_linf_abs"},
                      2),
              holds("one of them is too many"));
  EXPECT_THAT(message({"-a", "n=16", "-a", "batch=2"}, 2), holds("batch = 2"));
  EXPECT_THAT(message({"-a", "n=16", "--budget", "0"}, 2), holds("--budget"));
  EXPECT_THAT(message({}, 2), lacks("judged"));
  EXPECT_THAT(message({"-a", "n=16", "--csv", "/no/such/table.csv"}, 2),
              holds("/no/such/table.csv").but_not("judged"));
  EXPECT_THAT(message({"-a", "algorithm=stockham-r4", "-a", "n=8"}, 4), holds("4^k"));
  EXPECT_THAT(line({"search", "-a", "n=16", "-o", "/no/such/place.npy"}).err,
              holds("/no/such/place.npy"));
}

TEST(RecommendCommand, SaysWhatToTakeAndWhatTheRanksAreWorth) {
  const Outcome outcome = line(recommend_words("err_l2_rel=1e-3"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(
      outcome.out,
      holds("err_l2_rel <= 1e-3, measured and bound", "recommended: dft-gemm in fp32, ",
            "4 choices, 0 impossible or not counted\n", "measured ", "*", "Ranked by counted work",
            " cycles in ", "published for trn1", "fftprec run -a transform=fft"));
  EXPECT_THAT(outcome.out, holds("3 measured; ruled out: 1 by bound\n"));
  EXPECT_THAT(outcome.err, holds("3/3 cases (100 %)"));
  const std::vector<Row> rows = results::parse_csv(line(shown_command(outcome.out)).out, "again");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_LE(*rows[0].err_l2_rel, 1e-3);
}

TEST(RecommendCommand, ShowsNoTimesAndClaimsNoneForAMachineThatIsNoTrainium) {
  Words words = recommend_words("err_l2_rel=1e-3");
  words.insert(words.end(), {"--machine", "nv-hopper", "--csv", "-"});

  const Outcome outcome = line(words);

  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, holds("No latency of these choices was published for trn1: no times.",
                                 "the ranks do not describe its time")
                               .but_not(" us,"));
  std::istringstream rows(outcome.out);
  std::string row;
  std::getline(rows, row);
  while (std::getline(rows, row)) {
    const Words cells = split_list(row);
    EXPECT_EQ(cells.at(6), "") << row << ": published_us";
    EXPECT_EQ(cells.at(12), "0") << row << ": fastest";
  }
  EXPECT_THAT(line(recommend_words("err_l2_rel=1e-3")).out, lacks("ranks do not describe"));
}

TEST(RecommendCommand, TakesOtherNamesOfModes) {
  Words words = recommend_words("err_l2_rel=1e-3");
  words.insert(words.end(), {"--batch", "1k", "--patience", "1m"});
  *(std::find(words.begin(), words.end(), "--mode") + 1) = "fp32";

  EXPECT_THAT(line(words).out, holds("dft-gemm in fp32, ", "batch 1024"));
}

TEST(RecommendCommand, ExitsWithFourWhereNothingIsWithinTheBudget) {
  EXPECT_THAT(line(recommend_words("err_l2_rel=1e-20")),
              exits(4).out(holds("nothing is within the budget; closest: ", "times too large")
                               .but_not("recommended: ")));
  Words odd = recommend_words("err_l2_rel=1");
  odd[2] = "63";
  odd[6] = "radix2-dit";
  EXPECT_THAT(line(odd), exits(4).err("nothing to recommend: "));
}

TEST(RecommendCommand, WritesAllChoicesAsCsvAndDrawsThem) {
  const TemporaryDirectory directory;
  const std::string file = (directory / "choices.csv").string();
  Words words = recommend_words("err_l2_rel=1e-3");
  words.insert(words.end(), {"--csv", file, "-o", (directory / "plots").string()});
  ASSERT_EQ(line(words).code, 0);
  const std::string csv = text_of(file);
  EXPECT_THAT(csv, StartsWith("algorithm,mode,tensor_cycles,vector_cycles,tensor_calls,"
                              "vector_calls,published_us,interpolated,err_l2_rel,bound_l2_rel,"
                              "on_front,recommended,fastest,expected_l2_rel,ruled_out\n"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  EXPECT_TRUE(std::filesystem::exists(directory / "plots" / "error_vs_work.svg"));
}

TEST(RecommendCommand, NamesWhatIsWrong) {
  const auto message = [](Words words) {
    words.insert(words.begin(), {"recommend"});
    const Outcome outcome = line(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    return outcome.err;
  };
  expect_each<Words>(
      message,
      {{{"--n", "64"}, "--max is missing"},
       {{"--max", "err_l2_rel=1"}, "--n is missing"},
       {{"--n", "64", "--max", "err_l2=1e-3"}, "err_l2_rel"},
       {{"--n", "64", "--max", "err_l2_rel=-1"}, "err_l2_rel=-1: expected a number from 0 on"},
       {{"--n", "64", "--max", "err_max_ulp=3"}, "--by measured"},
       {{"--n", "64", "--max", "err_l2_rel=1", "--by", "theory"}, "measured, bound, both"},
       {{"--n", "64", "--max", "err_l2_rel=1", "--hardware", "trn4"}, "trn1, trn2, trn3"},
       {{"--n", "64", "--max", "err_l2_rel=1", "--machine", "tnr"}, "trn"},
       {{"--n", "0", "--max", "err_l2_rel=1"}, "--n"},
       {{"--n", "64", "--max", "err_l2_rel=1", "--csv", "/nowhere/a.csv"},
        holds("/nowhere/a.csv").but_not("measured")},
       {{"--n", "64", "--max", "err_l2_rel=1", "-o", "/proc/a"},
        holds("/proc/a").but_not("measured")}});
}

TEST(RecommendFigures, HoldEveryPoint) {
  const devices::RecommendRequest request{
      .where = {.n = 8}, .budget = {.metric = &column_named("err_l2_rel"), .largest = 0.5}};
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
  EXPECT_THAT(others.spots[0].tip, holds("algorithm beaten, mode b, n "));
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

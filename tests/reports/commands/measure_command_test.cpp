/// `fftprec measure`: results of other programs, by numbers that can be had by hand.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "reports/commands/commands.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/peer.hpp"
#include "tests/support/sample_files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::commands {
namespace {

using testing::exits;
using testing::expect_each;
using testing::holds;
using testing::lacks;
using testing::peer;
using testing::Words;

class MeasureCommand : public ::testing::Test {
 protected:
  /// Writes complex values, real and imaginary parts in turn.
  std::string complex_file(const std::string& name, const std::string& shape,
                           const std::vector<double>& parts) {
    return file(name, "<c16", shape, parts);
  }
  std::string real_file(const std::string& name, const std::string& shape,
                        const std::vector<double>& values) {
    return file(name, "<f8", shape, values);
  }

  /// Values like noise, the same in every run.
  static std::vector<double> noise(std::size_t count) {
    std::vector<double> values(count);
    double state = 0.37;
    for (double& value : values) {
      state = 3.99 * state * (1 - state);
      value = 2 * state - 1;
    }
    return values;
  }

  testing::Outcome measure(const std::string& x, const std::string& y, Words more = {}) {
    more.insert(more.begin(), {"measure", "--input", x, "--output", y});
    return testing::run_line(more);
  }

  testing::TemporaryDirectory directory_;

 private:
  std::string file(const std::string& name, const std::string& descr, const std::string& shape,
                   const std::vector<double>& values) {
    const std::string path = (directory_.path() / name).string();
    testing::write_text(
        path, testing::npy_file(testing::npy_header(descr, shape), testing::little_all(values)));
    return path;
  }
};

// The transform of (1, 2, 3, 4) is (10, -2 + 2i, -2, -2 - 2i), of norm sqrt(120).
const std::vector<double> ramp_parts = {1, 0, 2, 0, 3, 0, 4, 0};
const std::vector<double> ramp_spectrum = {10, 0, -2, 2, -2, 0, -2, -2};

TEST_F(MeasureCommand, FindsNothingWrongWithTheTransformItself) {
  EXPECT_THAT(
      measure(complex_file("x.npy", "(4,)", ramp_parts),
              complex_file("y.npy", "(4,)", ramp_spectrum), {"--max", "err_l2_rel=0"}),
      exits(0).out(holds("transform       fft\n", "n               4\n", "err_l2_rel      0\n",
                         "truth_tier      dd\n", "pass  err_l2_rel = 0, limit 0\n")));
}

TEST_F(MeasureCommand, MeasuresAnErrorPutInByHand) {
  std::vector<double> wrong = ramp_spectrum;
  wrong[4] += 0.25;  // 0.25/sqrt(120) in the 2-norm, 0.25/10 in the largest magnitude
  const std::string x = complex_file("x.npy", "(4,)", ramp_parts);
  const std::string y = complex_file("y.npy", "(4,)", wrong);

  EXPECT_THAT(measure(x, y, {"--max", "err_l2_rel=0.02", "--max", "err_linf_rel=0.03"}),
              exits(1).out(holds("err_linf_rel    0.025\n", "FAIL  err_l2_rel = 0.0228217732293",
                                 "pass  err_linf_rel = 0.025, limit 0.03\n")));
}

TEST_F(MeasureCommand, CountsUlpsOfTheFormatThatIsNamedOrElseOfTheOutput) {
  std::vector<double> wrong = ramp_spectrum;
  wrong[0] += 0x1p-10;  // 10 lies in [8, 16): a step of bf16 is 2^-4
  const std::string x = complex_file("x.npy", "(4,)", ramp_parts);
  const std::string y = complex_file("y.npy", "(4,)", wrong);
  EXPECT_THAT(measure(x, y, {"--format", "bf16"}).out, holds("err_max_ulp     0.015625\n"));
  EXPECT_THAT(measure(x, y, {"--format", "fp32"}).out, holds("err_max_ulp     1024\n"));
  EXPECT_THAT(measure(x, y).out, holds("err_max_ulp     549755813888\n"));  // c16: 2^-49
  std::string half;
  for (const char* value : {"\x01\x49", "\x00\xc0", "\x00\xc0", "\x00\xc0"})  // 10 + 2^-7, -2
    half += std::string(value, 2);
  const std::string f2 = (directory_ / "f2.npy").string();
  testing::write_text(f2, testing::npy_file(testing::npy_header("<f2", "(4,)"), half));
  EXPECT_THAT(measure(real_file("r.npy", "(4,)", {1, 2, 3, 4}), f2, {"--json"}).out,
              holds("\"format\": \"fp16\""));
}

TEST_F(MeasureCommand, JudgesRealTransformsAndTheirInverses) {
  const std::string x = real_file("x.npy", "(4,)", {1, 2, 3, 4});
  const std::string half = complex_file("y.npy", "(3,)", {10, 0, -2, 2, -2, 0});
  EXPECT_THAT(measure(x, half, {"--transform", "rfft"}).out, holds("err_l2_rel      0\n"));
  EXPECT_THAT(measure(half, x, {"--transform", "irfft", "--n", "4"}).out,
              holds("err_l2_rel      0\n"));
  EXPECT_THAT(measure(half, x, {"--transform", "irfft"}).out,
              holds("n               4\n", "err_l2_rel      0\n"));
}

TEST_F(MeasureCommand, JudgesImagesAndOtherTransformsByTheirKeys) {
  // fft2 of ((1, 2), (3, 4)) is ((10, -2), (-4, 0)).
  const std::string image = real_file("i.npy", "(2, 2)", {1, 2, 3, 4});
  const std::string plane = real_file("p.npy", "(2, 2)", {10, -2, -4, 0});
  EXPECT_THAT(measure(image, plane, {"--transform", "fft2"}).out, holds("err_l2_rel      0\n"));
  EXPECT_THAT(measure(plane, image, {"--transform", "ifft2:rows=2"}).out,
              holds("err_l2_rel      0\n"));
  // Each row by itself: (3, -1) and (7, -1).
  const std::string rows = real_file("r.npy", "(2, 2)", {3, -1, 7, -1});
  EXPECT_THAT(measure(image, rows).out, holds("batch           2\n", "err_l2_rel      0\n"));
  EXPECT_THAT(measure(image, plane, {"--transform", "fft2:row=2"}).err,
              holds("unknown key of transform fft2 'row'; did you mean 'rows'?"));
}

TEST_F(MeasureCommand, ShowsTheWorstElementOfTheFirstLimitThatBreaks) {
  std::vector<double> wrong = ramp_spectrum;
  wrong[0] += 0.25;   // the largest difference, 1/40 of its value
  wrong[3] += 0.125;  // 1/16 of its imaginary part
  const std::string x = complex_file("x.npy", "(4,)", ramp_parts);
  const std::string y = complex_file("y.npy", "(4,)", wrong);
  EXPECT_THAT(measure(x, y).out,
              holds("worst           output 0 of item 0: (10.25, 0), where (10, 0) is true\n"));
  EXPECT_THAT(measure(x, y, {"--max", "err_l2_rel=1", "--max", "err_im_max_rel=0.01"}).out,
              holds("worst           output 1 of item 0: (-2, 2.125), where (-2, 2) is true\n"));
}

TEST_F(MeasureCommand, GivesProgramsTheSameAsJson) {
  std::vector<double> wrong = ramp_spectrum;
  wrong[1] = 0.25;  // where the true imaginary part is 0
  const testing::Outcome outcome = measure(
      complex_file("x.npy", "(4,)", ramp_parts), complex_file("y.npy", "(4,)", wrong),
      {"--json", "--format", "bf16", "--max", "err_linf_rel=0.025", "--max", "err_im_max_rel=1"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  const nlohmann::json read = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(read["transform"], "fft");
  EXPECT_EQ(read["n"], 4);
  EXPECT_EQ(read["batch"], 1);
  EXPECT_EQ(read["format"], "bf16");
  EXPECT_EQ(read["err_linf_rel"], 0.025);
  EXPECT_EQ(read["err_im_max_rel"], "inf");
  EXPECT_GE(read["truth_bits"], 75);
  EXPECT_EQ(read["truth_tier"], "dd");
  EXPECT_EQ(read["worst"],
            nlohmann::json::parse(
                R"({"item": 0, "index": 0, "computed": [10, 0.25], "exact": [10, 0]})"));
  EXPECT_EQ(read["limits"], nlohmann::json::parse(R"([
      {"metric": "err_linf_rel", "value": 0.025, "limit": 0.025, "holds": true},
      {"metric": "err_im_max_rel", "value": "inf", "limit": 1, "holds": false}])"));
  EXPECT_EQ(read["holds"], false);
}

// Theory for 4 points in fp32 on ieee: `fftprec run -a n=4 -a machine=ieee`.
TEST_F(MeasureCommand, JudgesByTheExpectedErrorAndTheBoundOfACase) {
  const std::string x = complex_file("x.npy", "(4,)", ramp_parts);
  const auto judged = [&](double off, Words more) {
    std::vector<double> wrong = ramp_spectrum;
    wrong[4] += off;
    more.insert(more.end(), {"-a", "mode=fp32", "-a", "machine=ieee"});
    return measure(x, complex_file("y.npy", "(4,)", wrong), more);
  };
  const auto of = [&](double off) { return nlohmann::json::parse(judged(off, {"--json"}).out); };
  const double expected = of(0)["expected_l2_rel"];
  const double bound = of(0)["bound_l2_rel"];
  ASSERT_GT(expected, 2e-8);
  ASSERT_GT(bound, 2 * expected);
  const double norm = std::sqrt(120.0);  // of the spectrum

  EXPECT_THAT(
      judged(1.9 * expected * norm, {}),
      exits(0).out(holds("algorithm       radix2-dit\n", "machine         ieee\n",
                         "pass  err_l2_rel = ", " is 1.9 of expected_l2_rel = ",
                         ", limit 2\npass  err_l2_rel", "(radix2-stages+machine-checked)\n")));
  EXPECT_THAT(judged(2.1 * expected * norm, {}),
              exits(1).out(holds("FAIL  err_l2_rel = ", " is 2.1 of expected_l2_rel", "\npass")));
  EXPECT_THAT(judged(2.1 * expected * norm, {"--within", "2.2"}), exits(0));
  EXPECT_THAT(judged(1.01 * bound * norm, {"--within", "100"}),
              exits(1).out(holds("\nFAIL  err_l2_rel", " is 1.01 of bound_l2_rel = ")));

  const nlohmann::json read = of(2.1 * expected * norm);
  EXPECT_EQ(read["mode"], "fp32");
  EXPECT_EQ(read["holds"], false);
  EXPECT_EQ(read["theory"][0]["column"], "expected_l2_rel");
  EXPECT_EQ(read["theory"][0]["factor"], 2);
  EXPECT_EQ(read["theory"][0]["holds"], false);
  EXPECT_NEAR(read["theory"][0]["limit"], 2 * expected, 1e-9 * expected);
  EXPECT_EQ(read["theory"][1]["holds"], true);
}

TEST_F(MeasureCommand, SaysWhichTheoryIsMissing) {
  const std::string x = complex_file("x.npy", "(4,)", ramp_parts);
  const std::string y = complex_file("y.npy", "(4,)", ramp_spectrum);
  EXPECT_THAT(measure(x, y, {"-a", "tables=fp32-angle"}),
              exits(0).out(holds("none  expected_l2_rel: the model of errors does not hold",
                                 "pass  err_l2_rel = 0 is 0 of bound_l2_rel")));
  EXPECT_THAT(measure(x, y, {"-a", "algorithm=" + peer()}),
              exits(2).err("no bound: program:peer has no model"));
}

TEST_F(MeasureCommand, JudgesInfinitiesAndNanInAResultAndRefusesThemInAnInput) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    std::vector<double> wrong = ramp_spectrum;
    wrong[3] = value;
    const std::string x = complex_file("x.npy", "(4,)", ramp_parts);
    const std::string y = complex_file("y.npy", "(4,)", wrong);
    EXPECT_THAT(measure(x, y),
                exits(1).out("FAIL  1 of 4 values are infinite or NaN, the first at item "
                             "0, index 1"));
    EXPECT_EQ(measure(y, x).code, 2);
    EXPECT_THAT(measure(y, x).err, holds("value 1 is infinite or not a number"));
  }
}

TEST_F(MeasureCommand, SaysWhichSizesWouldGoTogether) {
  const std::string x = complex_file("x.npy", "(4,)", ramp_parts);
  const std::string half = complex_file("y.npy", "(3,)", {10, 0, -2, 2, -2, 0});
  EXPECT_THAT(measure(x, half),
              exits(2).err("fft of n = 4, batch 1, gives 4 values; the output holds 3"));
  EXPECT_THAT(measure(x, x, {"--n", "3"}).err,
              holds("fft of n = 3 takes 3 values, and 3 for each further item; the input holds 4"));
}

TEST_F(MeasureCommand, NamesBadNamesAndFiles) {
  const std::string x = complex_file("x.npy", "(4,)", ramp_parts);
  const auto error = [&](Words more) {
    const testing::Outcome outcome = measure(x, x, std::move(more));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, lacks("err_l2_rel"));
    return outcome.err;
  };
  expect_each<Words>(
      error, {{{"--transform", "fff"},
               "unknown transform 'fff'; did you mean 'fft'?; all: fftprec list transforms"},
              {{"--max", "err_l2_rel=small"}, "'err_l2_rel=small' is not METRIC=NUMBER"},
              {{"--n", "-1"}, "--n: '-1' is no whole number"},
              {{"--n", "0"}, "'0' is no number from 1 to "},
              {{"--format", "fp33"}, "unknown format 'fp33'"},
              {{"-a", "mode=fats"}, "unknown mode 'fats'"},
              {{"-a", "n=4"}, "unknown axis of a bound 'n'"},
              {{"-a", "mode=fp32", "--within", "0"}, "--within"}});
  EXPECT_THAT(measure(x, "none.npy").err, holds("none.npy: cannot be read"));
}

TEST_F(MeasureCommand, SaysWhy) {
  const std::string x = complex_file("x.npy", "(2, 31)", noise(2 * 62));
  const auto compute = [&](const std::string& tables) {
    const std::string y = (directory_.path() / "y.npy").string();
    EXPECT_EQ(testing::run_line({"compute", "-a", "transform=ifft", "-a", "algorithm=bluestein",
                                 "-a", "mode=fp64", "-a", "machine=ieee", "-a", "tables=" + tables,
                                 "-a", "n=31", "--input", x, "-o", y})
                  .code,
              0);
    return y;
  };
  const auto why = [&](const std::string& y) {
    return testing::run_line({"measure", "--why", "--transform", "ifft", x, y});
  };

  const testing::Outcome narrow = why(compute("exact:in=fp32"));
  EXPECT_EQ(narrow.code, 1);
  EXPECT_THAT(narrow.out,
              holds("1. the tables of bluestein are exact:in=fp32", "correlate by 1.0000",
                    "fftprec run -a transform=ifft -a algorithm=bluestein -a mode=fp64 -a "
                    "machine=ieee -a tables=exact:in=fp32 -a n=31 -a batch=2 -a input=file:"));

  const testing::Outcome clean = why(compute("exact"));
  EXPECT_EQ(clean.code, 0);
  EXPECT_THAT(clean.out, holds("Nothing is wrong: the error is "));
  EXPECT_THAT(clean.out, lacks("causes"));
}

TEST_F(MeasureCommand, RefusesWhyWithOtherQuestions) {
  const std::string x = complex_file("x.npy", "(4,)", ramp_parts);
  const auto error = [&](Words words) {
    words.insert(words.begin(), {"measure", "--why"});
    return testing::run_line(words).err;
  };
  EXPECT_THAT(error({x}), holds("--why takes two files"));
  EXPECT_THAT(error({x, x, "--input", x}), holds("not both"));
  EXPECT_THAT(error({x, x, "--json"}), holds("it takes no -a, --max and --json"));
  EXPECT_THAT(testing::run_line({"measure", x, x}).err, holds("one list of results, not 2"));
}

}  // namespace
}  // namespace fftprec::commands

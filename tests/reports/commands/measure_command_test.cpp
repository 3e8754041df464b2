/// `fftprec measure`: results of other programs, by numbers that can be had by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reports/commands/case_functions.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/sample_files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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

  testing::Outcome measure(const std::string& x, const std::string& y,
                           std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"measure", "--input", x, "--output", y});
    return testing::run_line(more, real_case_functions());
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
  const testing::Outcome outcome =
      measure(complex_file("x.npy", "(4,)", ramp_parts),
              complex_file("y.npy", "(4,)", ramp_spectrum), {"--max", "err_l2_rel=0"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("transform       fft\n"), HasSubstr("n               4\n"),
                    HasSubstr("err_l2_rel      0\n"), HasSubstr("truth_tier      dd\n"),
                    HasSubstr("pass  err_l2_rel = 0, limit 0\n")));
}

TEST_F(MeasureCommand, MeasuresAnErrorPutInByHand) {
  std::vector<double> wrong = ramp_spectrum;
  wrong[4] += 0.25;  // 0.25/sqrt(120) in the 2-norm, 0.25/10 in the largest magnitude
  const std::string x = complex_file("x.npy", "(4,)", ramp_parts);
  const std::string y = complex_file("y.npy", "(4,)", wrong);

  const testing::Outcome outcome =
      measure(x, y, {"--max", "err_l2_rel=0.02", "--max", "err_linf_rel=0.03"});

  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("err_linf_rel    0.025\n"),
                                 HasSubstr("FAIL  err_l2_rel = 0.0228217732293"),
                                 HasSubstr("pass  err_linf_rel = 0.025, limit 0.03\n")));
}

TEST_F(MeasureCommand, CountsUlpsOfTheFormatThatIsNamed) {
  std::vector<double> wrong = ramp_spectrum;
  wrong[0] += 0x1p-10;  // 10 lies in [8, 16): a step of bf16 is 2^-4
  const std::string x = complex_file("x.npy", "(4,)", ramp_parts);
  const std::string y = complex_file("y.npy", "(4,)", wrong);
  EXPECT_THAT(measure(x, y, {"--format", "bf16"}).out, HasSubstr("err_max_ulp     0.015625\n"));
  EXPECT_THAT(measure(x, y).out, HasSubstr("err_max_ulp     1024\n"));
}

TEST_F(MeasureCommand, TakesTheBatchFromTheShape) {
  std::vector<double> twice = ramp_parts;
  twice.insert(twice.end(), ramp_parts.begin(), ramp_parts.end());
  std::vector<double> spectra = ramp_spectrum;
  spectra.insert(spectra.end(), ramp_spectrum.begin(), ramp_spectrum.end());
  const testing::Outcome outcome =
      measure(complex_file("x.npy", "(2, 4)", twice), complex_file("y.npy", "(2, 4)", spectra));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("batch           2\n"), HasSubstr("err_l2_rel      0\n")));
}

TEST_F(MeasureCommand, JudgesRealTransformsAndTheirInverses) {
  const std::string x = real_file("x.npy", "(4,)", {1, 2, 3, 4});
  const std::string half = complex_file("y.npy", "(3,)", {10, 0, -2, 2, -2, 0});
  EXPECT_THAT(measure(x, half, {"--transform", "rfft"}).out, HasSubstr("err_l2_rel      0\n"));
  EXPECT_THAT(measure(half, x, {"--transform", "irfft", "--n", "4"}).out,
              HasSubstr("err_l2_rel      0\n"));
}

TEST_F(MeasureCommand, SaysWhichSizesWouldGoTogether) {
  const std::string x = complex_file("x.npy", "(4,)", ramp_parts);
  const std::string half = complex_file("y.npy", "(3,)", {10, 0, -2, 2, -2, 0});
  const testing::Outcome output = measure(x, half);
  EXPECT_EQ(output.code, 2);
  EXPECT_THAT(output.err, HasSubstr("fft of n = 4, batch 1, gives 4 values; the output holds 3"));
  EXPECT_THAT(
      measure(x, x, {"--n", "3"}).err,
      HasSubstr("fft of n = 3 takes 3 values, and 3 for each further item; the input holds 4"));
}

TEST_F(MeasureCommand, NamesBadNamesAndFiles) {
  const std::string x = complex_file("x.npy", "(4,)", ramp_parts);
  const auto error = [&](std::vector<std::string> more) {
    const testing::Outcome outcome = measure(x, x, std::move(more));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, Not(HasSubstr("err_l2_rel")));
    return outcome.err;
  };
  EXPECT_THAT(error({"--transform", "fff"}), HasSubstr("unknown transform 'fff'"));
  EXPECT_THAT(error({"--max", "err_l2=1"}), HasSubstr("unknown column 'err_l2'"));
  EXPECT_THAT(error({"--max", "err_l2_rel=small"}),
              HasSubstr("'err_l2_rel=small' is not METRIC=NUMBER"));
  EXPECT_THAT(error({"--max", "err_l2_rel"}), HasSubstr("is not METRIC=NUMBER"));
  EXPECT_THAT(error({"--format", "fp33"}), HasSubstr("unknown format 'fp33'"));
  EXPECT_THAT(measure(x, "none.npy").err, HasSubstr("none.npy: cannot be read"));
}

}  // namespace
}  // namespace fftprec

/// The matchers of other projects: what they take, what fails them, and what they then say.
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "experiments/inputs/inputs.hpp"
#include "experiments/testing/gtest.hpp"
#include "experiments/testing/measure_result.hpp"
#include "tests/support/complex_samples.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using testing::error_text;
using testing::holds;
using ::testing::Not;
using testing::ramp;

using Floats = std::vector<std::complex<float>>;
using Doubles = std::vector<std::complex<double>>;

const Doubles spectrum = {10, {-2, 2}, -2, {-2, -2}};
/// 0.25/sqrt(120) in the 2-norm.
const Doubles wrong = {10, {-2, 2}, -1.75, {-2, -2}};

/// What a matcher says of an output that it does not match.
template <class Output>
std::string complaint(const IsTransformOf& matcher, const Output& output) {
  ::testing::StringMatchResultListener listener;
  EXPECT_FALSE(::testing::ExplainMatchResult(matcher, output, &listener));
  return listener.str();
}

template <class Part>
concept Splits = requires(const Part& part) {
  split(part, part);
};
static_assert(Splits<std::vector<float>> && !Splits<std::vector<std::complex<float>>>);

TEST(Matchers, TakeTheTransformFromAnyKindOfRange) {
  const auto exactly = IsFftOf(ramp).within("err_l2_rel", 0);
  EXPECT_THAT(spectrum, exactly);
  EXPECT_THAT(Floats(spectrum.begin(), spectrum.end()), exactly);
  EXPECT_THAT(std::span<const std::complex<double>>(spectrum), exactly);
  EXPECT_THAT((std::array<std::complex<double>, 4>{10, {-2, 2}, -2, {-2, -2}}), exactly);
  EXPECT_THAT(split(std::vector<float>{10, -2, -2, -2}, std::vector<float>{0, 2, 0, -2}), exactly);
  Eigen::VectorXcf vector(4);
  vector << 10, std::complex<float>(-2, 2), -2, std::complex<float>(-2, -2);
  EXPECT_THAT(vector, exactly);
  ComplexArray<float> parts(4);
  parts.re = {10, -2, -2, -2};
  parts.im = {0, 2, 0, -2};
  EXPECT_THAT(parts, exactly);
  const float fftw[4][2] = {{10, 0}, {-2, 2}, {-2, 0}, {-2, -2}};
  EXPECT_THAT(fftw, exactly);
}

TEST(Matchers, TakeRealInputAndBatches) {
  const std::vector<float> real = {1, 2, 3, 4, 1, 2, 3, 4};
  const Floats halves = {10, {-2, 2}, -2, 10, {-2, 2}, -2};
  EXPECT_THAT(halves, IsTransformOf("rfft", real).of_length(4).within("err_linf_rel", 0));
  EXPECT_THAT(real, IsTransformOf("irfft", halves).of_length(4).within("err_linf_rel", 0));
  EXPECT_THAT((Floats{10, {-2, 2}, -2}),
              IsTransformOf("rfft", std::vector<double>{1, 2, 3, 4}).within("err_linf_rel", 0));
}

TEST(Matchers, FailAboveTheirLimitAndOnlyThere) {
  const double error = 0.25 / std::sqrt(120.0);
  EXPECT_THAT(wrong, IsFftOf(ramp).within("err_l2_rel", error * (1 + 1e-12)));
  EXPECT_THAT(wrong, Not(IsFftOf(ramp).within("err_l2_rel", error * (1 - 1e-12))));
  EXPECT_THAT(wrong, Not(IsFftOf(ramp).within("err_l2_rel", 1).within("err_linf_rel", 0.02)));
}

TEST(Matchers, SayHowFarOffAndWhere) {
  EXPECT_THAT(
      complaint(IsFftOf(ramp).within("err_l2_rel", 0.001), wrong),
      AllOf(holds("for fft of n = 4, batch 1:"),
            ContainsRegex("err_l2_rel = 0\\.0228217732293.* is 22\\.8 times the limit 1e-3"),
            holds("worst is output 2 of item 0: (-1.75, 0), where (-2, 0) is true"),
            holds("bits_l2 = 5.45"), holds("err_linf_rel = 0.025"),
            ContainsRegex("truth certified to [0-9]+ bits \\(dd\\)")));
  EXPECT_THAT(complaint(IsFftOf(ramp).within("err_l2_rel", 0), wrong), holds(", the limit 0\n"));
}

TEST(Matchers, SayWhatTheResultMayBe) {
  Doubles tripled = spectrum;
  for (std::complex<double>& value : tripled) value *= 3;
  EXPECT_THAT(complaint(IsFftOf(ramp).within("err_l2_rel", 1e-6), tripled),
              holds("perhaps every value is the truth times 3;"));
}

TEST(Matchers, CountUlpsInTheFormatOfTheOutputUnlessOneIsNamed) {
  // 0.25 at 2: 2^20 steps of fp32, 2^49 of fp64, 2^4 of bf16.
  const auto none = IsFftOf(ramp).within("err_max_ulp", 1);
  EXPECT_THAT(complaint(none, Floats(wrong.begin(), wrong.end())),
              holds("err_max_ulp = 1048576 of fp32"));
  EXPECT_THAT(complaint(none, wrong), holds("err_max_ulp = 562949953421312 of fp64"));
  EXPECT_THAT(complaint(none.in_format(bf16), wrong), holds("err_max_ulp = 16 of bf16"));
}

/// Beside a value that is wrong by itself.
TEST(Matchers, NanFailsEveryMetricWithAnyLimit) {
  for (std::size_t place = 0; place < spectrum.size(); ++place) {
    Doubles output = wrong;
    output[place] = {std::numeric_limits<double>::quiet_NaN(), 0};
    for (const char* metric : {"err_l2_rel", "err_linf_rel", "err_l1_rel", "err_re_max_rel",
                               "err_im_max_rel", "err_max_ulp", "err_rms_ulp"})
      EXPECT_THAT(output, Not(IsFftOf(ramp).within(metric, HUGE_VAL))) << metric << place;
  }
}

TEST(Matchers, WrongSizesFailAndSayTheRightOnes) {
  const auto close = IsFftOf(ramp).within("err_l2_rel", 1);
  EXPECT_THAT(complaint(close, Doubles(3)),
              holds("holds 3 values, where fft of n = 4, batch 1, gives 4"));
  EXPECT_THAT(complaint(close, Doubles()), holds("holds 0 values"));
}

TEST(Matchers, JudgeByTheBoundOfACase) {
  const ComplexArray<double> x = make_input("gaussian", 256, 1, 1);
  const Signal input(x);
  const auto bounded = IsFftOf(input).within_bound_of("algorithm=radix2-dit, machine=ieee");
  // The transform itself, and the same with an error of 1e-5.
  const auto asked = [&](double scale) {
    ComplexArray<double> y(256);
    for (std::size_t k = 0; k < 256; ++k)
      for (std::size_t j = 0; j < 256; ++j) {
        const double angle = -2 * 3.14159265358979323846 * static_cast<double>(j * k % 256) / 256;
        y.re[k] += scale * (x.re[j] * std::cos(angle) - x.im[j] * std::sin(angle));
        y.im[k] += scale * (x.re[j] * std::sin(angle) + x.im[j] * std::cos(angle));
      }
    return y;
  };
  EXPECT_THAT(asked(1), bounded);
  EXPECT_THAT(complaint(bounded, asked(1 + 1e-5)),
              ContainsRegex("times the bound radix2-stages.machine-checked of "
                            "\\[algorithm=radix2-dit, machine=ieee\\]"));
}

/// The spectrum of the ramp with that relative error in the 2-norm.
Doubles off_by(double relative) {
  Doubles output = spectrum;
  output[2] += relative * std::sqrt(120.0);
  return output;
}

TEST(Matchers, JudgeByTheExpectedErrorOfACase) {
  const std::string axes = "algorithm=radix2-dit, mode=fp32, machine=ieee";
  const ForeignProblem asked = foreign_problem("fft", 0, testing::samples(ramp, {4}));
  Row row = measure_result(asked, asked.problem.truth.hi, fp32);
  predict_result(row, asked, claimed_case(axes));
  const double expected = row.expected_l2_rel.value();

  EXPECT_THAT(off_by(1.99 * expected), IsFftOf(ramp).within_expected(2, axes));
  EXPECT_THAT(off_by(2.01 * expected), Not(IsFftOf(ramp).within_expected(2, axes)));
  EXPECT_THAT(off_by(2.01 * expected), IsFftOf(ramp).within_expected(2.02, axes));
  EXPECT_THAT(complaint(IsFftOf(ramp).within_expected(2, axes), off_by(20 * expected)),
              ContainsRegex("err_l2_rel = .* is 10 times the limit of 2 times the error that is "
                            "expected of \\[algorithm=radix2-dit, mode=fp32, machine=ieee\\],"));
}

TEST(Matchers, ExpectTheUsualAlgorithmInTheTypeOfTheOutput) {
  const Doubles wrong_by_1e12 = off_by(1e-12);
  EXPECT_THAT(Floats(wrong_by_1e12.begin(), wrong_by_1e12.end()), IsFftOf(ramp).within_expected());
  EXPECT_THAT(complaint(IsFftOf(ramp).within_expected(), wrong_by_1e12),
              holds("[algorithm=radix2-dit, mode=fp64, machine=ieee]"));
  EXPECT_THAT(wrong_by_1e12, IsFftOf(ramp).in_format(fp32).within_expected());
}

TEST(UsualAlgorithm, FollowsTheLargestPrimeFactor) {
  const auto of = [](std::vector<std::size_t> lengths) { return usual_algorithm(lengths); };
  EXPECT_EQ(of({1}), "radix2-dit");
  EXPECT_EQ(of({64, 1024}), "radix2-dit");
  EXPECT_EQ(of({64, 3 * 13}), "mixed-radix");
  EXPECT_EQ(of({2 * 17}), "bluestein");
  EXPECT_EQ(of({17 * 17, 4}), "bluestein");
}

TEST(UsualCase, TakesTheLengthsOfAllAxes) {
  const ForeignProblem image = foreign_problem(
      "fft2", 0, testing::samples(std::vector<std::complex<double>>(12, 1), {3, 4}));
  EXPECT_EQ(usual_case(image, fp16).algorithm, "mixed-radix");
  EXPECT_EQ(usual_case(image, fp16).mode, "fp16");
  const ForeignProblem half = foreign_problem("irfft", 0, testing::samples({1, 2, 3}, {3}));
  EXPECT_EQ(usual_case(half, fp64).algorithm, "radix2-dit");
}

TEST(Matchers, FaultsOfTheQuestionAreErrorsEvenWhenNegated) {
  EXPECT_THAT(error_text([] { IsTransformOf("ftt", ramp); }), holds("did you mean 'fft'"));
  EXPECT_THAT(error_text([] { IsFftOf{ramp}.within("err_l2", 1); }), holds("err_l2_rel"));
  EXPECT_THAT(error_text([] { IsFftOf{ramp}.within("err_l2_rel", -1); }), holds("from 0 on"));
  EXPECT_THAT(error_text([] { IsFftOf{ramp}.within_bound_of("mode=fats"); }),
              holds("unknown mode 'fats'"));
  EXPECT_THAT(error_text([] { IsFftOf{ramp}.within_expected(2, "mode=fats"); }),
              holds("unknown mode 'fats'"));
  EXPECT_THAT(error_text([] { IsFftOf{ramp}.within_expected(-1); }), holds("a number above 0"));
  EXPECT_THAT(error_text([] { IsFftOf{Doubles()}; }), holds("holds no values"));
  EXPECT_THAT(error_text([] {
                IsFftOf{Doubles{1, std::nan("")}};
              }),
              holds("value 1 is not finite"));
  EXPECT_THAT(error_text([] { split(std::vector<float>(2), std::vector<float>(3)); }),
              holds("differ in size"));
  const auto judged = [](const IsTransformOf& matcher) {
    return error_text([&] { EXPECT_THAT(spectrum, Not(matcher)); });
  };
  EXPECT_THAT(judged(IsFftOf(ramp)), holds("without a limit"));
  EXPECT_THAT(judged(IsFftOf(ramp).of_length(3).within("err_l2_rel", 1)), holds("takes 3 values"));
  EXPECT_THAT(judged(IsFftOf(ramp).within_bound_of("algorithm=stockham-r8")), holds("no bound"));
  EXPECT_THAT(judged(IsFftOf(ramp).within_expected(2, "tables=fp32-angle")),
              holds("[tables=fp32-angle] has no expected error for this input"));
}

TEST(Matchers, DescribeThemselves) {
  const ::testing::Matcher<Doubles> matcher = IsFftOf(ramp)
                                                  .within("err_l2_rel", 1e-6)
                                                  .within_bound_of("mode=fp32")
                                                  .within_expected(2.5)
                                                  .within_expected(2, "mode=bf16");
  std::ostringstream text;
  matcher.DescribeTo(&text);
  EXPECT_EQ(text.str(),
            "is the fft of 4 given values with err_l2_rel <= 1e-6 and err_l2_rel <= the bound of "
            "[mode=fp32] and err_l2_rel <= 2.5 times the expected error of [the usual case] and "
            "err_l2_rel <= 2 times the expected error of [mode=bf16]");
}

TEST(Macros, PassAndFailAsTheMatcherDoes) {
  EXPECT_FFT_ERROR_BELOW(spectrum, ramp, "err_l2_rel", 0);
  EXPECT_TRANSFORM_ERROR_BELOW("ifft", ramp, spectrum, "err_l2_rel", 0);
  ASSERT_TRANSFORM_ERROR_BELOW("ifft", ramp, spectrum, "err_l2_rel", 0);
  EXPECT_NONFATAL_FAILURE(EXPECT_FFT_ERROR_BELOW(wrong, ramp, "err_l2_rel", 1e-3),
                          "wrong is not the fft of ramp: for fft of n = 4");
  EXPECT_NONFATAL_FAILURE(EXPECT_TRANSFORM_ERROR_BELOW("ifft", wrong, ramp, "err_l2_rel", 1e-3),
                          "wrong is not the ifft of ramp");
  EXPECT_FATAL_FAILURE(ASSERT_FFT_ERROR_BELOW(wrong, ramp, "err_l2_rel", 1e-3), "err_l2_rel");
}

TEST(Macros, FaultsOfTheQuestionAreFailures) {
  EXPECT_NONFATAL_FAILURE(EXPECT_FFT_ERROR_BELOW(spectrum, ramp, "err_l2", 1), "did you mean");
  EXPECT_NONFATAL_FAILURE(EXPECT_FFT_ERROR_BELOW(spectrum, Doubles(), "err_l2_rel", 1),
                          "holds no values");
}

}  // namespace
}  // namespace fftprec

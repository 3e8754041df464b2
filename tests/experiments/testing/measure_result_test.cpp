/// Foreign results: their limits, their worst element and their bounds, by numbers had by hand.
#include "experiments/testing/measure_result.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "experiments/cases/evaluate.hpp"
#include "experiments/errors/worst_element.hpp"
#include "experiments/testing/measured_limit.hpp"
#include "experiments/testing/result_bound.hpp"
#include "tests/support/error_text.hpp"

namespace fftprec {
namespace {

using testing::error_text;
using ::testing::HasSubstr;

ComplexArray<double> complex_values(const std::vector<std::complex<double>>& values) {
  ComplexArray<double> array(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    array.re[i] = values[i].real();
    array.im[i] = values[i].imag();
  }
  return array;
}

Samples samples(const std::vector<std::complex<double>>& values,
                const std::vector<std::size_t>& shape) {
  return {complex_values(values), shape};
}

const std::vector<std::complex<double>> ramp = {1, 2, 3, 4};
const std::vector<std::complex<double>> spectrum = {10, {-2, 2}, -2, {-2, -2}};

TEST(ForeignProblem, TakesNFromTheLastAxisAndTheBatchFromTheSize) {
  std::vector<std::complex<double>> twice = ramp;
  twice.insert(twice.end(), ramp.begin(), ramp.end());
  const ForeignProblem asked = foreign_problem("fft", 0, samples(twice, {2, 4}));
  EXPECT_EQ(asked.where.n, 4U);
  EXPECT_EQ(asked.where.batch, 2U);
  EXPECT_EQ(foreign_problem("fft", 2, samples(twice, {2, 4})).where.batch, 4U);
}

TEST(ForeignProblem, OfSpectraOfRealDataTheEvenLengthIsMeant) {
  const Samples half = samples({10, {-2, 2}, -2}, {3});
  for (const char* transform : {"irfft", "hfft"})
    EXPECT_EQ(foreign_problem(transform, 0, half).where.n, 4U) << transform;
  EXPECT_EQ(foreign_problem("irfft", 5, half).where.n, 5U);
  EXPECT_EQ(
      foreign_problem("irfft2", 0, samples(std::vector<std::complex<double>>(12), {4, 3})).where.n,
      4U);
  EXPECT_EQ(foreign_problem("irfft", 0, samples({3}, {1})).where.n, 1U);
}

TEST(ForeignProblem, ASpectrumInSeveralRowsIsABatchOfThem) {
  // Three rows of three elements: taken for items of n = 3 they would be a batch as well.
  const ForeignProblem asked =
      foreign_problem("irfft", 0, samples(std::vector<std::complex<double>>(9, 1), {3, 3}));
  EXPECT_EQ(asked.where.n, 4U);
  EXPECT_EQ(asked.where.batch, 3U);
  EXPECT_EQ(asked.problem.truth.hi.size(), 12U);
}

TEST(ForeignProblem, ALengthBeyondTheInputIsAnErrorBeforeAnythingIsMade) {
  for (const std::uint64_t n : {std::uint64_t{10}, ~std::uint64_t{0}})
    EXPECT_THAT(error_text([n] { foreign_problem("irfft", n, samples(ramp, {4})); }),
                HasSubstr("irfft of n = " + std::to_string(n) + ": the input holds only 4 values"));
  EXPECT_EQ(foreign_problem("irfft", 7, samples(ramp, {4})).where.batch, 1U);
}

TEST(ForeignProblem, ImagesNameTheirOtherAxes) {
  const Samples image = samples(std::vector<std::complex<double>>(8, 1), {2, 4});
  EXPECT_EQ(foreign_problem("fft2:rows=2", 0, image).where.batch, 1U);
  EXPECT_THAT(error_text([&] { foreign_problem("fft2", 0, image); }),
              HasSubstr("fft2 of n = 4 takes 16 values"));
}

TEST(ForeignProblem, RealTransformsRefuseComplexInput) {
  EXPECT_THAT(error_text([] {
                foreign_problem("rfft", 0, samples({1, {2, 1}}, {2}));
              }),
              HasSubstr("imaginary part of element 1 is not zero"));
}

TEST(MeasuredLimit, HoldsUpToItsValueAndNeverForNan) {
  Row row;
  const MeasuredLimit limit = parse_measured_limit("err_l2_rel=0.5");
  row.err_l2_rel = 0.5;
  EXPECT_TRUE(holds(limit, row));
  row.err_l2_rel = std::nextafter(0.5, 1);
  EXPECT_FALSE(holds(limit, row));
  row.err_l2_rel = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(holds(limit, row));
}

TEST(MeasuredLimit, RefusesWhatCannotBeLimited) {
  const auto error = [](const char* text) {
    return error_text([text] { parse_measured_limit(text); });
  };
  EXPECT_THAT(error("err_l2=1"), HasSubstr("did you mean 'err_l2_rel'"));
  EXPECT_THAT(error("mac_count=1"), HasSubstr("not measured of a result; what is: err_l2_rel"));
  EXPECT_THAT(error("err_roundtrip_l2_rel=1"), HasSubstr("not measured of a result"));
  EXPECT_THAT(error("bits_l2=20"), HasSubstr("grows as the error falls"));
  EXPECT_THAT(error("err_l2_rel=-1"), HasSubstr("expected a number from 0 on"));
  EXPECT_THAT(error("err_l2_rel=nan"), HasSubstr("expected a number from 0 on"));
  EXPECT_THAT(error("err_l2_rel"), HasSubstr("is not METRIC=NUMBER"));
}

class WorstElements : public ::testing::Test {
 protected:
  WorstElement worst(const std::vector<std::complex<double>>& y, const char* metric) const {
    return worst_element(complex_values(y), asked_.problem.truth, column_named(metric), fp32);
  }

  ForeignProblem asked_ = foreign_problem("fft", 4, samples({1, 2, 3, 4, 1, 2, 3, 4}, {2, 4}));
  /// Errors: 0.25 at output 0 of item 0, 1/40 of it; 0.125 in re and im at output 1 of item 1,
  /// 1/16 of either part.
  std::vector<std::complex<double>> y_ = {10.25, {-2, 2},         -2, {-2, -2},
                                          10,    {-2.125, 2.125}, -2, {-2, -2}};
};

TEST_F(WorstElements, NormsAreDecidedByTheLargestDifference) {
  for (const char* metric : {"err_l2_rel", "err_linf_rel", "err_l1_rel"}) {
    const WorstElement found = worst(y_, metric);
    EXPECT_EQ(found.item, 0U) << metric;
    EXPECT_EQ(found.index, 0U) << metric;
    EXPECT_EQ(found.computed, 10.25) << metric;
    EXPECT_EQ(found.exact, 10.0) << metric;
  }
}

TEST_F(WorstElements, ElementwiseMetricsAreDecidedByTheirOwnWorst) {
  // Steps of fp32: 2^-20 at 10, 2^-22 at 2, so 2^18 steps at output 0 and 2^19 at output 1.
  for (const char* metric : {"err_re_max_rel", "err_im_max_rel", "err_max_ulp", "err_rms_ulp"}) {
    const WorstElement found = worst(y_, metric);
    EXPECT_EQ(found.item, 1U) << metric;
    EXPECT_EQ(found.index, 1U) << metric;
  }
  EXPECT_EQ(text_of(worst(y_, "err_max_ulp")),
            "output 1 of item 1: (-2.125, 2.125), where (-2, 2) is true");
}

TEST_F(WorstElements, WhatIsNotFiniteIsWorst) {
  y_[6] = {0, std::numeric_limits<double>::quiet_NaN()};
  y_[7] = std::numeric_limits<double>::infinity();
  for (const char* metric : {"err_l2_rel", "err_re_max_rel", "err_max_ulp"})
    EXPECT_EQ(worst(y_, metric).index, 2U) << metric;
}

TEST(ClaimedCase, NamesWhatAProgramDid) {
  const Case where =
      claimed_case("algorithm=dft-gemm, mode=bf16, machine=trn{psum=bf16,psum.rounding=sr}");
  EXPECT_EQ(where.algorithm, "dft-gemm");
  EXPECT_EQ(where.mode, "bf16");
  EXPECT_THAT(where.machine, HasSubstr("psum=bf16"));
  EXPECT_EQ(where.tables, "exact");
}

TEST(ClaimedCase, RefusesWhatTheResultDecidesAndWhatIsUnknown) {
  const auto error = [](const char* text) { return error_text([text] { claimed_case(text); }); };
  EXPECT_THAT(error("n=64"), HasSubstr("unknown axis of a bound 'n'"));
  EXPECT_THAT(error("algorithm=radix2-dit,split-radix"),
              HasSubstr("unknown axis of a bound 'split-radix'"));
  EXPECT_THAT(error("algorithm=radix2"), HasSubstr("unknown algorithm 'radix2'"));
  EXPECT_THAT(error("mode=fast, mode=kahan"), HasSubstr("mode stands there twice"));
  EXPECT_THAT(error(""), HasSubstr("unknown axis of a bound ''"));
}

TEST(PredictResult, GivesTheBoundThatARunWouldGive) {
  const Case where{.algorithm = "dft-gemm", .mode = "bf16", .n = 64, .batch = 3};
  const Problem problem = make_problem(problem_key(where));
  const Row run = evaluate(where, problem);
  const ForeignProblem asked = foreign_problem("fft", 64, {problem.input, {3, 64}});
  Row row = measure_result(asked, problem.truth.hi, fp32);

  predict_result(row, asked, claimed_case("algorithm=dft-gemm, mode=bf16"));

  EXPECT_EQ(row.bound_l2_rel, run.bound_l2_rel);
  EXPECT_EQ(row.expected_l2_rel, run.expected_l2_rel);
  EXPECT_EQ(row.bound_name, "gemm-forward");
}

TEST(PredictResult, AllowsOneRoundingOfAnInputThatIsNotOnTheGrid) {
  const auto bound = [](double first) {
    const ForeignProblem asked = foreign_problem("fft", 0, samples({first, 2, 3, 4}, {4}));
    Row row = measure_result(asked, asked.problem.truth.hi, fp32);
    predict_result(row, asked, claimed_case("mode=fast"));
    return row.bound_l2_rel.value();
  };
  const double on_grid = bound(1);
  EXPECT_NEAR(bound(1 + 0x1p-40) - on_grid, 0x1p-24, 0x1p-40);
}

TEST(PredictResult, RefusesCasesWithoutABound) {
  const ForeignProblem asked = foreign_problem("fft", 0, samples({1, 2, 3}, {3}));
  Row row;
  const auto error = [&](const char* text) {
    return error_text([&] { predict_result(row, asked, claimed_case(text)); });
  };
  EXPECT_THAT(error("algorithm=radix2-dit"), HasSubstr("no bound: "));
  EXPECT_THAT(error("algorithm=fftw-f32"), HasSubstr("no bound: fftw-f32 has no model"));
  EXPECT_THAT(error("algorithm=gemm"), HasSubstr("no bound: fft is carried out by an FFT"));
}

}  // namespace
}  // namespace fftprec

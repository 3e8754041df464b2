/// The case that a program says it carried out, and its bound.
#include <gmock/gmock.h>

#include "experiments/cases/evaluate.hpp"
#include "experiments/testing/measure_result.hpp"
#include "tests/support/complex_samples.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/peer.hpp"

namespace fftprec {
namespace {

using testing::error_text;
using testing::expect_each;
using testing::peer;
using testing::samples;

TEST(ClaimedCase, RefusesWhatTheResultDecidesAndWhatIsUnknown) {
  const auto error = [](const std::string& text) {
    return error_text([text] { claimed_case(text); });
  };
  expect_each(error, {{"n=64", "unknown axis of a bound 'n'"},
                      {"algorithm=radix2-dit,split-radix", "unknown axis of a bound 'split-radix'"},
                      {"algorithm=radix2", "unknown algorithm 'radix2'"},
                      {"mode=fp32, mode=kahan", "mode is given twice"},
                      {"", "unknown axis of a bound ''"}});
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
    predict_result(row, asked, claimed_case("mode=fp32"));
    return row.bound_l2_rel.value();
  };
  const double on_grid = bound(1);
  EXPECT_NEAR(bound(1 + 0x1p-40) - on_grid, 0x1p-24, 0x1p-40);
}

TEST(PredictResult, RefusesCasesWithoutABound) {
  const ForeignProblem asked = foreign_problem("fft", 0, samples({1, 2, 3}, {3}));
  Row row;
  const auto error = [&](const std::string& text) {
    return error_text([&] { predict_result(row, asked, claimed_case(text)); });
  };
  expect_each(error, {{"algorithm=radix2-dit", "no bound: "},
                      {"algorithm=" + peer(), "no bound: program:peer has no model"},
                      {"algorithm=gemm", "no bound: fft is carried out by an FFT"}});
}

}  // namespace
}  // namespace fftprec

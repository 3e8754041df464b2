/// A problem is the input that its key names and the transform of just that input.
#include "experiments/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "arith/error.hpp"
#include "experiments/inputs.hpp"
#include "experiments/registry.hpp"

namespace fftprec::testing {
namespace {

const ProblemKey small_key{"fft", 6, 2, "uniform", 3};

TEST(Problem, KeyHoldsWhatDecidesInputAndTruthAndNothingElse) {
  const Case where{.transform = "ifft", .n = 8, .batch = 3, .input = "tone", .seed = 4};
  Case other = where;
  other.mode = "double";
  other.tables = "recurrence";
  EXPECT_EQ(problem_key(where), (ProblemKey{"ifft", 8, 3, "tone", 4}));
  EXPECT_EQ(problem_key(other), problem_key(where));
}

TEST(Problem, HoldsTheNamedInput) {
  EXPECT_EQ(make_problem(small_key).input, make_input("uniform", 6, 2, 3));
}

/// The definition in long double, to the accuracy of that.
TEST(Problem, TruthIsTheTransformNamed) {
  for (const bool inverse : {false, true}) {
    ProblemKey key = small_key;
    key.transform = inverse ? "ifft" : "fft";
    const Problem problem = make_problem(key);
    ASSERT_EQ(problem.truth.n, 6u);
    for (std::size_t first = 0; first < 12; first += 6)
      for (std::size_t k = 0; k < 6; ++k) {
        long double re = 0;
        long double im = 0;
        for (std::size_t j = 0; j < 6; ++j) {
          const long double angle =
              std::acos(-1.0L) * static_cast<long double>(j * k % 6) / 3 * (inverse ? 1 : -1);
          const auto x_re = static_cast<long double>(problem.input.re[first + j]);
          const auto x_im = static_cast<long double>(problem.input.im[first + j]);
          re += x_re * std::cos(angle) - x_im * std::sin(angle);
          im += x_re * std::sin(angle) + x_im * std::cos(angle);
        }
        const long double scale = inverse ? 6 : 1;
        const double tolerance = 0x1p-48;  // where long double is double
        EXPECT_NEAR(problem.truth.hi.re[first + k], static_cast<double>(re / scale), tolerance);
        EXPECT_NEAR(problem.truth.hi.im[first + k], static_cast<double>(im / scale), tolerance);
      }
  }
}

TEST(Problem, BadKeysAreInputErrors) {
  ProblemKey key = small_key;
  key.transform = "fft3";
  EXPECT_THAT([&] { make_problem(key); },
              ::testing::ThrowsMessage<InputError>(::testing::HasSubstr("ifft")));
  key = small_key;
  key.n = 0;
  EXPECT_THROW(make_problem(key), InputError);
  key = small_key;
  key.input = "noise";
  EXPECT_THROW(make_problem(key), InputError);
}

TEST(Problem, EveryListedTransformCanBeMade) {
  for (const Named& named : list_transforms()) {
    ProblemKey key = small_key;
    key.transform = named.name;
    EXPECT_NO_THROW(make_problem(key)) << named.name;
  }
}

}  // namespace
}  // namespace fftprec::testing

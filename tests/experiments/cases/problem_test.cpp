/// A problem is the input that its key names and the transform of just that input.
#include <gmock/gmock.h>

#include <cmath>

#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/transforms/registry.hpp"
#include "experiments/truths/truth_cache.hpp"
#include "tests/experiments/truths/stored_truths.hpp"
#include "tests/support/temporary_directory.hpp"

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

TEST(Problem, HoldsAsManyResultsAsItsTransformSays) {
  for (const Named& named : list_transforms()) {
    ProblemKey key = small_key;
    key.transform = named.name;
    const TransformEntry transform = transform_named(named.name);
    EXPECT_EQ(make_problem(key).truth.n, output_size(transform, key.n)) << named.name;
    const std::vector<std::size_t> operands = transform.item_shape(key.n).input;
    EXPECT_EQ(operands.empty(), transform.operands == 2) << named.name;
  }
}

/// Shown by an option that every truth refuses.
TEST(Problem, PassesTheOptionsToEveryTruth) {
  for (const Named& named : list_transforms()) {
    ProblemKey key = small_key;
    key.transform = named.name;
    EXPECT_THAT([&] { make_problem(key, {.tier = truth::Tier::mpfr, .precision_bits = 600}); },
                ::testing::ThrowsMessage<InputError>(::testing::HasSubstr("precision_bits = 600")))
        << named.name;
  }
}

TEST(Problem, TellsItsRowsHowGoodItsTruthIs) {
  const Case where{.algorithm = "direct", .n = 6};
  Problem problem = make_problem(problem_key(where));
  problem.truth.bits = 77;
  for (const truth::Tier tier : {truth::Tier::mpfr, truth::Tier::double_double}) {
    problem.truth.tier = tier;
    const Row row = evaluate(where, problem);
    EXPECT_EQ(row.status, Status::ok) << row.message;
    EXPECT_EQ(row.truth_bits, 77u);
    EXPECT_EQ(row.truth_tier, tier);
  }
}

TEST(Problem, TakesItsTruthFromACacheThatHasIt) {
  const TemporaryDirectory directory;
  TruthCache cache(directory / "cache", {.least_time = {}});
  const Problem alone = make_problem(small_key);
  for (std::uint64_t times = 0; times < 3; ++times) {
    const Problem problem = make_problem(small_key, {}, &cache);
    EXPECT_EQ(problem.input, alone.input);
    EXPECT_TRUE(is_same(problem.truth, alone.truth));
    EXPECT_EQ(cache.counts().hits, times);
  }
  for (const std::uint64_t seed : {4u, 5u}) {
    ProblemKey other = small_key;
    other.seed = seed;
    EXPECT_TRUE(is_same(make_problem(other, {}, &cache).truth, make_problem(other).truth));
  }
  make_problem(small_key, {.needed_bits = 90}, &cache);
  EXPECT_EQ(cache.counts().hits, 2u);
  EXPECT_EQ(cache.counts().stored, 4u);
}

}  // namespace
}  // namespace fftprec::testing

/// How many bits a digit may have: the three answers, each against rows on both sides of it.
#include "experiments/search/exact_products.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/support/names.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::search {

using testing::error_text;
using testing::holds;

namespace {

const Case negacyclic{.transform = "product:negacyclic:half", .mode = "fp64", .n = 64};
const Case weighted{.transform = "product:cyclic:half:square:exponent=1", .mode = "fp64", .n = 64};

DigitLimits limits_of(const Case& where, const ExactRequest& request = {}) {
  Session session;
  return digit_limits(session, where, request);
}

/// The row of the case with one step more or less.
Row row_with(const Case& where, double bits, int more) {
  Session session;
  const Digits digits(session, where);
  return evaluate(digits.with(static_cast<int>(bits * digits.steps_per_bit()) + more));
}

}  // namespace

TEST(DigitLimits, EndWhereTheBoundReachesOneHalf) {
  for (const Case& where : {negacyclic, weighted}) {
    const DigitLimit proven = limits_of(where).proven;
    ASSERT_TRUE(proven.bits);
    Session session;
    const Digits digits(session, where);
    const int steps = static_cast<int>(*proven.bits * digits.steps_per_bit());
    const Row last = evaluate(digits.at_limit(steps));
    const Row next = evaluate(digits.at_limit(steps + 1));

    EXPECT_DOUBLE_EQ(proven.shown, *last.bound_linf_abs);
    EXPECT_LT(*last.bound_linf_abs, 0.5);
    EXPECT_GE(*next.bound_linf_abs, 0.5);
  }
}

TEST(DigitLimits, EndWhereFailureIsTooProbable) {
  for (const Case& where : {negacyclic, weighted}) {
    const DigitLimit probable = limits_of(where, {.failure = 1e-6}).probable;
    ASSERT_TRUE(probable.bits);

    EXPECT_DOUBLE_EQ(probable.shown, *row_with(where, *probable.bits, 0).failure_prob);
    EXPECT_LE(*row_with(where, *probable.bits, 0).failure_prob, 1e-6);
    EXPECT_GT(*row_with(where, *probable.bits, 1).failure_prob, 1e-6);
  }
}

TEST(DigitLimits, AreRightInAllRunsAndWrongInOneBeyond) {
  Session session;
  const DigitLimit measured = limits_of(negacyclic, {.runs = 5}).measured;
  ASSERT_TRUE(measured.bits);
  const Digits digits(session, negacyclic);
  const auto wrong = [&](int bits) {
    std::uint64_t sum = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Case where = digits.with(bits);
      where.seed = seed;
      sum += *evaluate(where).wrong_coefficients;
    }
    return sum;
  };

  EXPECT_EQ(wrong(static_cast<int>(*measured.bits)), 0u);
  EXPECT_GT(wrong(static_cast<int>(*measured.bits) + 1), 0u);
}

TEST(DigitLimits, AreInTheOrderOfTheirEvidence) {
  for (const Case& where : {negacyclic, weighted}) {
    const DigitLimits limits = limits_of(where);
    EXPECT_LT(*limits.proven.bits, *limits.probable.bits);
    EXPECT_LE(*limits.probable.bits, *limits.measured.bits + 1);
  }
}

/// No digits of this size may fail, whatever their signs.
TEST(ProvenDigits, AreRightInTheWorstPatterns) {
  const std::string bits = std::to_string(static_cast<int>(*limits_of(negacyclic).proven.bits));
  for (const char* pattern : {"limit", "signs", "alternating"}) {
    Case where = negacyclic;
    where.input = "integers:bits=" + bits + ":pattern=" + pattern;
    EXPECT_EQ(evaluate(where).wrong_coefficients, 0u) << pattern;
  }
}

TEST(DigitLimits, SayWhatIsNotKnown) {
  Case posit = negacyclic;
  posit.mode = "posit32";
  Case unsigned_digits = negacyclic;
  unsigned_digits.input = "integers:sign=unsigned";
  Case fixed = negacyclic;
  fixed.mode = "q1.31";

  EXPECT_THAT(limits_of(posit).proven.reason,
              holds("no bound is derived for radix2-dit in posit32"));
  EXPECT_THAT(limits_of(fixed).proven.reason, holds("no bound is derived"));
  EXPECT_THAT(limits_of(unsigned_digits).probable.reason, holds("of digits about 0"));
  EXPECT_TRUE(limits_of(unsigned_digits).proven.bits);
}

TEST(Digits, OfOtherTransformsAndInputsAreRefused) {
  const auto refusal = [](const Case& where) { return error_text([&] { limits_of(where); }); };
  Case with_mod = negacyclic;
  with_mod.input = "integers:mod=7";
  Case tone = negacyclic;
  tone.input = "tone";

  EXPECT_THAT(refusal({.transform = "fft"}), holds("fft is no product of whole numbers"));
  EXPECT_THAT(refusal(tone), holds("input=tone has no bits"));
  EXPECT_THAT(refusal(with_mod), holds("mod sets the digits"));
}

TEST(Digits, InPartsAreCutAtAPowerOfTwo) {
  EXPECT_EQ(in_parts("product:half", 2, 31), "product:half:parts=2:base=65536");
  EXPECT_EQ(in_parts("product:half:parts=2:base=65536", 1, 31), "product:half");
}

TEST(Digits, OfAnExponentAreThoseOfInputAndTransform) {
  Session session;
  const Case with = Digits(session, weighted).with_exponent(1279);

  EXPECT_EQ(with.input, "integers:exponent=1279");
  EXPECT_EQ(with.transform, "product:cyclic:half:square:exponent=1279");
}

TEST(ExactVerdict, OfPartsIsProvenWhereTheWholeFails) {
  Session session;
  Case whole = negacyclic;
  whole.input = "integers:bits=30";
  Case parts = whole;
  parts.transform = in_parts(whole.transform, 2, 30);
  const ExactVerdict of_whole = exact_verdict(session, whole, {.runs = 3});
  const ExactVerdict of_parts = exact_verdict(session, parts, {.runs = 3});

  EXPECT_FALSE(of_whole.is_proven());
  EXPECT_EQ(of_whole.wrong_runs, 3u);
  EXPECT_TRUE(of_parts.is_proven());
  EXPECT_EQ(of_parts.wrong_runs, 0u);
  EXPECT_GT(of_parts.work, of_whole.work);
}

}  // namespace fftprec::search

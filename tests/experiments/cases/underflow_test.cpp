/// Values below the normal numbers of their format: no row is above its bound but one that has none
/// and says why, ordinary rows have the bounds that they had, and what is lost is counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "experiments/cases/evaluate.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::testing {
namespace {

/// The problem of a case with its input times 2^exponent.
Problem scaled_problem(const Case& where, int exponent) {
  Problem problem = make_problem(problem_key(where));
  for (auto* parts : {&problem.input.re, &problem.input.im})
    for (double& part : *parts) part = std::ldexp(part, exponent);
  problem.truth = transform_named(where.transform).truth(problem.input, where.n, where.batch, {});
  return problem;
}

struct Judged {
  std::size_t bounded = 0;
  std::size_t near = 0;      ///< bounds most of which is for small values
  std::size_t left_out = 0;  ///< bounds that are not stated
  double closest = 0;
};

void judge(const Case& where, int exponent, Judged& judged) {
  const Row row = evaluate(where, scaled_problem(where, exponent));
  if (row.status == Status::skipped || row.overflows.value_or(0) > 0) return;
  ASSERT_EQ(row.status, Status::ok) << command_of(row.where) << ": " << row.message;
  if (!row.bound_l2_rel) {
    judged.left_out += row.message.find("no bound: ") != std::string::npos;
    return;
  }
  ++judged.bounded;
  const bool is_near = row.bound_name.ends_with("+underflow");
  judged.near += is_near;
  EXPECT_LE(row.err_l2_rel.value(), *row.bound_l2_rel)
      << command_of(row.where) << ", input times 2^" << exponent;
  if (row.bound_prob_l2_rel) {
    EXPECT_LE(*row.err_l2_rel, *row.bound_prob_l2_rel) << command_of(row.where);
  }
  if (*row.bound_l2_rel > 0)
    judged.closest = std::max(judged.closest, *row.err_l2_rel / *row.bound_l2_rel);
}

/// A mode and powers of two around the lowest numbers of its formats.
struct Small {
  const char* mode;
  std::vector<int> exponents;
};

const std::vector<Small>& smalls() {
  static const std::vector<Small> all{
      {"fp16", {-12, -18, -24, -40}},
      {"fp8_e4m3", {-3, -6, -10}},
      {"binary8p4se", {-5, -9}},
      {"custom(p=5,emin=-10,emax=15,subnormals=false)", {-8, -11, -14}},
      {"bf16", {-110, -126, -132, -140}},
      {"fp32", {-120, -135, -147, -150}},
      {"kahan", {-125, -145}},
      {"bf16x2:3", {-115, -130, -145}},
      {"fp16x2:3", {-12, -20, -40}},
      {"slices:2x2:fp32", {-120, -140}},
      {"doubleword", {-100, -130, -145}},
      {"bf16_refined", {-115, -130}},
      {"mxfp4_e2m1", {-118, -130, -145}},
      {"nvfp4:ue4m3", {-4, -8, -12}},
  };
  return all;
}

TEST(Underflow, LeavesNoRowAboveItsBound) {
  Judged judged;
  for (const char* algorithm : {"radix2-dit", "stockham-mixed", "dft-gemm", "split-radix",
                                "bluestein", "radix2-dit:butterfly=dual-select"})
    for (const auto& [mode, exponents] : smalls())
      for (const char* machine :
           {"trn", "ieee", "ieee{casts=odd}", "ieee{casts=ru}", "ieee{casts=sr}", "nv-hopper",
            "trn{vector.flush=on,flush.inputs=on,flush.outputs=on}"})
        for (const int exponent : exponents)
          for (const char* store : {"op", "stage"})
            judge({.algorithm = algorithm,
                   .mode = mode,
                   .machine = machine,
                   .n = 16,
                   .input = "gaussian",
                   .rounding_points = store},
                  exponent, judged);
  EXPECT_GT(judged.bounded, 1500u);
  EXPECT_GT(judged.near, 800u);
  EXPECT_GT(judged.closest, 0.3);
}

TEST(Underflow, LeavesNoRowAboveItsBoundInAnyTransform) {
  Judged judged;
  for (const char* transform :
       {"ifft", "fft2", "rfft", "irfft", "rfft2", "irfft2", "hfft", "ihfft", "dct2", "dct3",
        "dct2:norm=ortho", "dct3:norm=ortho", "stft", "istft", "cgemm", "cmul", "cconv1d"})
    for (const auto& [mode, exponents] : smalls())
      for (const char* machine : {"trn", "ieee{casts=ru}"})
        for (const char* algorithm : {"radix2-dit", "gemm", "elementwise"})
          for (const char* scale : {"none", "stage:1/2"})
            judge({.transform = transform,
                   .algorithm = algorithm,
                   .mode = mode,
                   .machine = machine,
                   .n = 16,
                   .batch = 2,
                   .input = "gaussian",
                   .scale = scale},
                  exponents.front(), judged);
  EXPECT_GT(judged.bounded, 500u);
  EXPECT_GT(judged.left_out, 50u);
}

/// Data whose parts reach 2^15 below the largest one, the numbers of fp8_e4m3 2^17 below theirs.
TEST(Underflow, OfASharedExponentCountsBesideTheLargest) {
  for (const char* mode : {"fp8_e4m3", "fp16", "fp8_e5m2"})
    for (const char* machine : {"trn", "ieee{casts=ru}", "ieee{casts=odd}"})
      for (const char* input : {"wide:phi=4", "impulse", "gaussian"})
        for (const int exponent : {-140, -40, 0, 40}) {
          const Case where{.algorithm = "stockham-r4",
                           .mode = mode,
                           .machine = machine,
                           .n = 256,
                           .input = input,
                           .rounding_points = "stage",
                           .scale = "block"};
          const Row row = evaluate(where, scaled_problem(where, exponent));
          ASSERT_EQ(row.status, Status::ok) << row.message;
          EXPECT_LE(row.err_l2_rel.value(), row.bound_l2_rel.value())
              << command_of(row.where) << ", input times 2^" << exponent;
        }
}

TEST(Underflow, IsNamedWhereItIsTheLargerPartOfABound) {
  const Row row =
      evaluate({.algorithm = "stockham-mixed", .mode = "fp16", .n = 64, .scale = "input:2^-20"});
  EXPECT_EQ(row.bound_name, "stockham-stages+underflow");
  EXPECT_GT(row.bound_l2_rel.value(), row.err_l2_rel.value());
  EXPECT_FALSE(row.expected_l2_rel);
  EXPECT_FALSE(row.expected_gain);
  EXPECT_EQ(row.underflows.value(), 128u);  // every part of the input: below 2^-14
}

/// Rounding to odd makes 2^-24, the smallest number, of all that is smaller.
TEST(Underflow, BoundsWhatGrowsToTheSmallestNumber) {
  const Row row = evaluate({.mode = "fp16",
                            .machine = "ieee{casts=odd}",
                            .n = 16,
                            .input = "dc",
                            .scale = "input:2^-60"});
  EXPECT_EQ(row.err_l2_rel.value(), std::ldexp(1.0, 36) - 1);
  EXPECT_GT(row.bound_l2_rel.value(), row.err_l2_rel.value());
  EXPECT_LT(row.bound_l2_rel.value(), 8 * row.err_l2_rel.value());
}

/// 2^-10, a tie between 0 and the smallest number of fp8_e4m3.
TEST(Underflow, CountsAFactorThatTheFormatDoesNotHold) {
  const Row row = evaluate({.transform = "ifft", .mode = "fp8_e4m3", .n = 1024});
  EXPECT_EQ(row.err_l2_rel.value(), 1);
  EXPECT_GE(row.bound_l2_rel.value(), 1);
  EXPECT_EQ(row.underflows.value() / 2048, 1u);
}

TEST(Underflow, MovesNoBoundOfOrdinaryValues) {
  for (const char* mode : {"bf16", "fp32", "tf32", "bf16x3:6", "doubleword", "slices:3x3"})
    for (const char* algorithm : {"radix2-dit", "dft-gemm", "bluestein"}) {
      Case where{.algorithm = algorithm, .mode = mode, .n = 64};
      const Row row = evaluate(where);
      where.scale = "input:2^-40";
      const Row smaller = evaluate(where);
      EXPECT_EQ(row.bound_l2_rel, smaller.bound_l2_rel) << mode << ' ' << algorithm;
      EXPECT_EQ(row.underflows, 0u);
      EXPECT_FALSE(smaller.bound_name.ends_with("+underflow"));
    }
}

/// Data of 2^14 points halved in each of 14 stages end at 2^-7 in the root mean square of a part,
/// below the normal numbers of fp8_e4m3; of 2^8 points at 2^-4.
TEST(Underflow, TakesAnExpectationThatKnowsNothingOfIt) {
  Case where{.mode = "fp8_e4m3", .n = 1 << 8, .scale = "stage:1/2"};
  EXPECT_TRUE(evaluate(where).expected_l2_rel);
  where.n = 1 << 14;
  EXPECT_FALSE(evaluate(where).expected_l2_rel);
  where.scale = "input:2^-3";
  EXPECT_TRUE(evaluate(where).expected_l2_rel);
}

TEST(Underflow, TakesTheBoundOfWhatIsNotDerivedAndSaysSo) {
  Case where{.transform = "cgemm", .algorithm = "gemm", .mode = "fp16", .n = 16};
  where.scale = "input:2^-20";
  const Row row = evaluate(where);
  EXPECT_FALSE(row.bound_l2_rel);
  EXPECT_TRUE(row.bound_name.empty());
  EXPECT_THAT(row.message, holds("no bound", "below the normal numbers", "cgemm"));
  where.scale = "input:2^4";
  EXPECT_TRUE(evaluate(where).bound_l2_rel) << evaluate(where).message;
}

/// 65504 is the largest number of fp16. Rounding to odd makes it of all that is beyond, and the
/// products that follow hide that.
TEST(Underflow, AndOverflowThatNoResultShowsTakesTheBound) {
  const Row row = evaluate({.algorithm = "stockham-mixed",
                            .mode = "fp16",
                            .machine = "ieee{casts=odd}",
                            .n = 64,
                            .input = "gaussian",
                            .scale = "input:2^13"});
  EXPECT_EQ(row.overflows.value(), 0u);
  EXPECT_GT(row.err_l2_rel.value(), 0.01);
  EXPECT_FALSE(row.bound_l2_rel);
  EXPECT_THAT(row.message, holds("no bound", "exceed fp16, which ends at 6.55e+04"));
}

/// A double has few digits of numbers near 2^-1060, so neither has their truth.
TEST(Underflow, IsSaidWhereATruthHasTooFewDigits) {
  const Case where{.mode = "fp64", .n = 16};
  const Row row = evaluate(where, scaled_problem(where, -1060));
  EXPECT_LT(row.truth_bits.value(), 30u);
  EXPECT_THAT(row.message, holds("the truth has", "bits, too few"));
  EXPECT_EQ(evaluate(where).message, "");
}

}  // namespace
}  // namespace fftprec::testing

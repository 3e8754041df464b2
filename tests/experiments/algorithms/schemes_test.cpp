/// Rows of the schemes beside trnfft's: each evaluates, at the level that its words, sums and
/// residuals allow, and is skipped with the reason where the machine cannot.
#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "algorithms/arithmetic/modes.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/session.hpp"
#include "tests/experiments/algorithms/expected_errors.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::testing {

namespace {

constexpr std::uint64_t points = 64;

/// A machine that takes every kind of operands.
constexpr const char* taker_of_all = "trn3-bf16psum{psum=fp32,integer.bits=32}";

const Problem& gaussian() {
  static const Problem problem = make_problem(problem_key({.n = points}));
  return problem;
}

Case case_of(const std::string& mode, const std::string& algorithm = "dft-gemm",
             const std::string& machine = "trn") {
  return {.algorithm = algorithm, .mode = mode, .machine = machine, .n = points};
}

Row row_of(const Case& where) { return evaluate(where, gaussian()); }

/// The L2 error of a row that must have one.
double error_of(const std::string& mode, const std::string& algorithm = "dft-gemm",
                const std::string& machine = "trn") {
  const Row row = row_of(case_of(mode, algorithm, machine));
  EXPECT_EQ(row.status, Status::ok) << command_of(row.where) << ": " << row.message;
  return row.err_l2_rel.value_or(NAN);
}

void expect_between(double low, double error, double high, const std::string& what) {
  EXPECT_GE(error, low) << what << ", seed 1";
  EXPECT_LE(error, high) << what << ", seed 1";
}

/// RMS of a rounding to nearest of random values, relative to theirs: sqrt(0.154) u.
double rounding_rms(double u) { return 0.39 * u; }

}  // namespace

TEST(Schemes, GainTellsTruncationFromNoise) {
  const auto measured = [problem = make_problem(problem_key({.n = 512}))](Case where) {
    where.n = 512;
    return evaluate(where, problem);
  };
  struct Pair {
    Case nearest;
    Case truncated;
  };
  for (const auto& [nearest, truncated] :
       {Pair{case_of("bf16x3:6"), case_of("bf16x3:6", "dft-gemm", "trn-rz")},
        Pair{case_of("fp32", "radix2-dit"),
             case_of("fp32", "radix2-dit", "trn{vector.sum_rounding=rz}")}}) {
    const Row noisy = measured(nearest);
    const Row biased = measured(truncated);
    ASSERT_TRUE(noisy.gain && biased.gain) << noisy.message << biased.message;
    EXPECT_LE(std::fabs(*noisy.gain - 1), 0.3 * *noisy.err_l2_rel) << command_of(nearest);
    EXPECT_LE(*biased.gain - 1, -0.8 * *biased.err_l2_rel) << command_of(truncated);
    EXPECT_LE(1 - *biased.gain, *biased.err_l2_rel) << command_of(truncated);
  }
}

TEST(Schemes, EveryModeEvaluatesBelowItsBound) {
  std::vector<std::string> names;
  for (const Mode& mode : modes())
    if (!mode.as<FixedScheme>()) names.push_back(mode.name);  // overflows without a scale
  for (const char* name : {"bf16x2:4", "bf16x3:9", "fp16x2:4", "tf32x2:4", "tf32x3:9", "slices:2x4",
                           "slices:3x3:fp16", "slices:5x5:pair:check", "slices:4x4:tiles:check",
                           "slices:3x3:fp32", "ozaki2:6", "doubleword:fp32", "refined_fp32:3"})
    names.emplace_back(name);
  for (const std::string& name : names)
    for (const char* algorithm : {"radix2-dit", "dft-gemm"}) {
      const bool is_stored_alone = name == "mxint8" || name == "bfp16" || name == "nvfp4";
      const bool is_of_blackwell = name.starts_with("mxfp6") || name == "nvfp4:ue4m3";
      const char* machine = is_of_blackwell ? "nv-blackwell" : taker_of_all;
      const Row row = row_of(case_of(name, algorithm, machine));
      if (is_stored_alone && algorithm == std::string("dft-gemm")) {
        EXPECT_THAT(row.message, holds("multiplies no matrices")) << name;
        continue;
      }
      ASSERT_EQ(row.status, Status::ok) << command_of(row.where) << ": " << row.message;
      EXPECT_LT(row.err_l2_rel.value(), 1) << command_of(row.where);
      // Where precision tapers the theorem holds in a range alone, and nothing is expected.
      const bool tapers = storage_format(mode_named(name)).tapers();
      const bool in_zone = row.bound_name.find("+golden-zone:") != std::string::npos;
      ASSERT_TRUE(row.bound_l2_rel.has_value()) << command_of(row.where);
      ASSERT_EQ(in_zone, tapers) << command_of(row.where);
      ASSERT_TRUE(!tapers || !row.expected_l2_rel) << command_of(row.where);
      EXPECT_LE(row.err_l2_rel.value(), *row.bound_l2_rel) << command_of(row.where);
    }
}

/// Input and table are each rounded once, the rest is fp32: sqrt(2) of one rounding's RMS.
TEST(Schemes, NarrowFormatsErrByTheRoundingOfBothOperands) {
  for (const auto& [mode, u] :
       {std::pair("bf16", 0x1p-8), std::pair("fp16", 0x1p-11), std::pair("tf32", 0x1p-11),
        std::pair("fp8_e4m3", 0x1p-4), std::pair("fp8_e5m2", 0x1p-3)})
    expect_between(rounding_rms(u), error_of(mode), 2 * rounding_rms(u), mode);
}

/// Two bf16 words settle 18 bits of both operands, and the dropped product of low words is about
/// 2^-18 as well; three words, or two of 11 bits, leave fp32's own roundings: those of the input,
/// of at most nine sums outside, and of 128 in PSUM.
/// Of ten seeds in the root mean square, and no row above its bound.
TEST(Schemes, FormatsByTheirParametersErrAsExpected) {
  for (const char* store : {"op", "pass:3"})
    for (int precision = 5; precision <= 20; ++precision) {
      std::vector<Row> rows;
      for (std::uint64_t seed = 1; seed <= 10; ++seed)
        rows.push_back(
            evaluate({.mode = "custom(p=" + std::to_string(precision) + ",emin=-60,emax=60)",
                      .n = 256,
                      .seed = seed,
                      .rounding_points = store}));
      expect_as_expected(rows, 0.1);
    }
}

/// Named formats have loops of their own; nothing here comes near the top, where the others differ.
TEST(Schemes, FormatsByTheirParametersHaveTheBitsOfThoseWithNames) {
  for (const auto& [name, parameters] :
       {std::pair("bf16", "p=8,emin=-126,emax=127"), std::pair("fp16", "p=11,emin=-14,emax=15"),
        std::pair("fp32", "p=24,emin=-126,emax=127")})
    for (const char* algorithm : {"radix2-dif", "split-radix", "direct", "bluestein"})
      for (const char* transform : {"fft", "ifft"}) {
        Case where{.transform = transform, .algorithm = algorithm, .mode = name, .n = points};
        const Row expected = row_of(where);
        where.mode = "custom(" + std::string(parameters) + ",overflow=saturate)";
        const Row row = row_of(where);
        ASSERT_EQ(row.status, Status::ok) << command_of(where) << ": " << row.message;
        EXPECT_EQ(row.output_hash, expected.output_hash) << command_of(where);
      }
}

TEST(Schemes, SplitsErrByTheWordsAndProductsTheyLeaveOut) {
  const double u = 0x1p-24;
  expect_between(0x1p-20, error_of("bf16x2:3"), 0x1p-16, "bf16x2:3");
  expect_between(0x1p-20, error_of("bf16x2:4"), 0x1p-16, "bf16x2:4");
  EXPECT_LT(error_of("bf16x2:4"), error_of("bf16x2:3"));
  for (const char* mode : {"bf16x3:6", "bf16x3:9", "fp16x2:3", "fp16x2:4", "tf32x2:3", "tf32x2:4",
                           "tf32x3:6", "tf32x3:9"})
    expect_between(rounding_rms(u), error_of(mode), rounding_rms(u) * std::sqrt(128 + 9 + 2), mode);
}

/// Each further slice settles 9 bits of both operands, until fp64 sums end it.
TEST(Schemes, EverySliceGainsNineBitsUntilTheFormatOfTheSums) {
  double before = error_of("slices:1x1");
  expect_between(0x1p-12, before, 0x1p-5, "slices:1x1");
  for (int s = 2; s <= 5; ++s) {
    const std::string mode = "slices:" + std::to_string(s) + "x" + std::to_string(s);
    const double error = error_of(mode);
    expect_between(before * 0x1p-11, error, before * 0x1p-7, mode);
    expect_between(std::ldexp(1, -9 * s - 3), error, std::ldexp(1, -9 * s + 4), mode);
    before = error;
  }
  EXPECT_LE(error_of("slices:5x5"), 2e-13);
  EXPECT_LE(error_of("slices:6x6"), 1e-15);
  EXPECT_LE(error_of("slices:6x6", "radix2-dit"), 1e-15);
  const double u = 0x1p-24;
  expect_between(u / 8, error_of("slices:6x6:fp32"), u * 2, "slices:6x6:fp32");
  // Pairs: a rounding of 2^-49 of the input, and sums of 21 terms.
  expect_between(0x1p-53, error_of("slices:6x6:pair"), 0x1p-46, "slices:6x6:pair");
}

TEST(Schemes, SlicesGiveTheSameBitsWithTilesEvictedAndOnEveryExactMachine) {
  const Row expected = row_of(case_of("slices:4x4"));
  for (const char* mode : {"slices:4x4:tiles", "slices:4x4:check", "slices:4x4:8"})
    EXPECT_EQ(row_of(case_of(mode)).output_hash, expected.output_hash) << mode;
  for (const char* machine : {"trn-rz", "trn-tree", "ieee", "nv-ampere"})
    EXPECT_EQ(row_of(case_of("slices:4x4", "dft-gemm", machine)).output_hash, expected.output_hash)
        << machine;
}

/// The first residual is formed with the error of the transform by which it is inverted: bf16's
/// own, or fp32's. Each step multiplies the error by that of the correction, bf16's.
TEST(Schemes, RefinementWithAnAccurateResidualSquaresTheError) {
  for (const char* algorithm : {"dft-gemm", "radix2-dit"}) {
    const double u = 0x1p-24, once = error_of("bf16", algorithm);
    const double floor = 16 * u;  // of the fp32 inverse
    expect_between(once / 8, error_of("bf16_refined", algorithm), 2 * once, "bf16_refined");
    expect_between(once * once / 8, error_of("refined_fp32:1", algorithm), 4 * once * once + floor,
                   "refined_fp32:1");
    EXPECT_LE(error_of("refined_fp32:2", algorithm), 8 * once * once * once + floor);
    EXPECT_LE(error_of("refined_fp32:3", algorithm), floor);
  }
}

/// fp32 input, table and result: three roundings. Products rounded before the sum add two times
/// two; plain sums of K = 64 add up to K/2.
TEST(Schemes, CompensatedSumsErrByThreeRoundings) {
  const double u = 0x1p-24;
  const auto level = [u](double roundings) { return rounding_rms(u) * std::sqrt(roundings); };
  expect_between(level(1), error_of("dot2"), level(2 * 3), "dot2");
  expect_between(level(1), error_of("neumaier"), level(2 * (3 + 4)), "neumaier");
  expect_between(level(1), error_of("kahan-sum"), level(2 * (3 + 4)), "kahan-sum");
  expect_between(level(3), error_of("rounded_once"), level(2 * (4 + 32)), "rounded_once");
  EXPECT_LT(error_of("rounded_once", "radix2-dit"), error_of("fp32", "radix2-dit"));
}

/// 2 * 64 products, with their sign, of integers of b bits are below the product of 14 moduli,
/// about 2^110: b = 51; of 6, about 2^47.8: b = 19. Rounding to b bits below the largest entry.
TEST(Schemes, ResiduesErrByTheBitsTheirModuliHold) {
  const auto error = [](const char* mode) { return error_of(mode, "dft-gemm", taker_of_all); };
  expect_between(0x1p-54, error("ozaki2:14"), 0x1p-49, "ozaki2:14");
  expect_between(0x1p-22, error("ozaki2:6"), 0x1p-17, "ozaki2:6");
}

/// A pair's error is measured with its low words: doubles alone would not show it, nor floats
/// reach it.
TEST(Schemes, DoubleWordsAreMeasuredWithTheirLowWords) {
  for (const char* algorithm : {"radix2-dit", "dft-gemm"}) {
    expect_between(0x1p-54, error_of("doubleword", algorithm), 0x1p-45, algorithm);
    const Case where = case_of("doubleword", algorithm);
    const Output output = run_case(Session().plan(where), gaussian().input);
    EXPECT_EQ(output.rest.size(), output.values.size());
  }
}

/// 1 +- 2^-60, which pairs hold and doubles do not.
TEST(Schemes, WhatADoubleCannotHoldOfAPairCountsAsWell) {
  Problem problem{ComplexArray<double>(2), {}};
  problem.input.re = {1, 0x1p-60};
  problem.truth.hi = problem.truth.lo = ComplexArray<double>(2);
  problem.truth.hi.re = {1, 1};
  problem.truth.lo.re = {0x1p-60, -0x1p-60};
  problem.truth.n = 2;
  const Row row = evaluate({.mode = "doubleword", .n = 2}, problem);
  EXPECT_EQ(row.err_l2_rel.value(), 0);
}

TEST(Schemes, DoubleWordsRoundedToFp32AreTheExactResultRoundedOnce) {
  for (const char* algorithm : {"radix2-dit", "dft-gemm"}) {
    const Case where = case_of("doubleword:fp32", algorithm);
    const Output output = run_case(Session().plan(where), gaussian().input);
    EXPECT_EQ(output.rest.size(), 0u);
    for (const auto* part : {&output.values.re, &output.values.im})
      for (const double value : *part)
        EXPECT_EQ(static_cast<double>(static_cast<float>(value)), value) << algorithm;
    const Row row = row_of(where);
    EXPECT_LE(row.err_max_ulp.value(), 0.5 + 0x1p-10) << "ulp of fp32, " << algorithm;
  }
}

TEST(Schemes, RowsThatAMachineCannotDoCarryTheReason) {
  const auto skipped = [](const Case& where, const char* reason) {
    const Row row = row_of(where);
    EXPECT_EQ(row.status, Status::skipped) << command_of(where);
    EXPECT_THAT(row.message, holds(reason)) << command_of(where);
    EXPECT_FALSE(row.err_l2_rel.has_value()) << command_of(where);
  };
  skipped(case_of("bf16", "dft-gemm", "nv-volta"), "nv-volta multiplies no matrices of bf16");
  skipped(case_of("ozaki2:14"), "integer.bits=32");
  skipped(case_of("ozaki2:1", "dft-gemm", taker_of_all), "needs more moduli");
  skipped(case_of("mxfp4_e2m1"), "multiplies no matrices");
  // What multiplies no matrices needs none of this.
  for (const Case& where :
       {case_of("bf16", "radix2-dit", "nv-volta"), case_of("ozaki2:14", "radix2-dit"),
        case_of("mxfp4_e2m1", "radix2-dit")})
    EXPECT_EQ(row_of(where).status, Status::ok) << command_of(where) << row_of(where).message;
}

TEST(Schemes, RowsWhoseModeChangesNothingSayWhoseNumbersTheyAre) {
  struct Same {
    const char* mode;
    const char* other;
    const char* algorithm;
    const char* store;
    const char* remark;  ///< nothing: the numbers differ
  };
  const char* const in_blocks = "radix2-dit of 64 points has no matrix products";
  for (const auto& [mode, other, algorithm, store, remark] : {
           Same{"block(element=int:8,size=32)", "fp32", "radix2-dit", "op", in_blocks},
           Same{"mxfp8_e5m2", "fp32", "radix2-dit", "op", "rounding_points=stage, pass:K or ends"},
           Same{"mxfp8_e5m2", "fp32", "radix2-dit", "stage", ""},
           Same{"mxfp8_e5m2", "fp32", "stockham-r8", "op", ""},
           Same{"nvfp4", "fp32", "mixed-radix", "op", "those of mode fp32"},
           Same{"kahan-sum", "fp32", "radix2-dit", "op", "adds one product at a time"},
           Same{"neumaier", "fp32", "direct", "op", "adds one product at a time"},
           Same{"kahan-sum", "fp32", "dft-gemm", "op", ""},
           Same{"slices:3x3", "fp64", "bluestein", "op", "those of mode fp64"},
           Same{"slices:3x3:pair", "doubleword", "radix2-dit", "op", "those of mode doubleword"},
           Same{"slices:3x3", "fp64", "four-step", "op", ""},
           Same{"ozaki2:14", "fp64", "radix2-dit", "op", "those of mode fp64"},
           Same{"posit16:quire", "posit16", "radix2-dit", "op", "those of mode posit16"},
           Same{"posit16:quire", "posit16", "dft-gemm", "stage", "uses no quire"},
           Same{"posit16:quire", "posit16", "dft-gemm", "op", ""},
           Same{"dot2", "fp32", "radix2-dit", "op", ""},
       }) {
    Case where = case_of(mode, algorithm);
    where.rounding_points = store;
    Case as = case_of(other, algorithm);
    const bool is_same = *remark != '\0';
    if (is_same) as.rounding_points = store;
    const Row row = row_of(where);
    ASSERT_EQ(row.status, Status::ok) << command_of(where) << row.message;
    EXPECT_EQ(row.output_hash == row_of(as).output_hash, is_same) << command_of(where);
    if (is_same)
      EXPECT_THAT(row.message, holds(remark)) << command_of(where);
    else
      EXPECT_EQ(row.message, "") << command_of(where);
    EXPECT_EQ(row_of(as).message, "") << command_of(as);
  }
}

TEST(Schemes, FormatsThatAMachineDoesNotTakeAreSkippedByMatrixProductsAlone) {
  const std::string mode = "custom(p=9,emin=-126,emax=127)";
  EXPECT_EQ(row_of(case_of(mode, "radix2-dit")).status, Status::ok);
  for (const char* engine : {"trn", "trn{vector.flush=on}"}) {
    const Row row = row_of(case_of(mode, "dft-gemm", engine));
    EXPECT_EQ(row.status, Status::skipped);
    EXPECT_THAT(row.message, holds("multiplies no matrices of custom(p=9"));
  }
  const Row other = row_of(case_of(mode, "radix2-dit", "trn{vector.flush=on}"));
  EXPECT_EQ(other.status, Status::skipped);
  EXPECT_THAT(other.message, holds("have no loops on a vector engine with flush"));
}

TEST(Schemes, AnInexactPsumFailsACheckedRow) {
  EXPECT_THAT(error_text([] { row_of(case_of("slices:3x3:check", "dft-gemm", "trn-claim")); }),
              holds("PSUM"));
}

}  // namespace fftprec::testing

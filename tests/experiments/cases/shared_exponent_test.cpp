/// Block floating point in every number system: what a block becomes by hand, and what holds of
/// rows whatever the size of their input.
#include "algorithms/arithmetic/shared_exponent.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/session.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/number_families.hpp"

namespace fftprec::testing {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Floats, and members of every family.
const std::vector<std::string>& systems() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names = systems_for_ffts();
    names.insert(names.end(), {"fp16", "fp8_e4m3", "fp8_e4m3fn", "custom(p=7,emin=-3,emax=2)"});
    return names;
  }();
  return all;
}

TEST(SharedExponent, PutsTheLargestPartWhereDigitsAreMost) {
  struct Top {
    const char* format;
    double value;
  };
  for (const auto& [format, top] :
       {Top{"fp16", 65504}, Top{"fp8_e4m3fn", 448}, Top{"q1.7", 127.0 / 128},
        Top{"binary8p4se", 224}, Top{"binary4p2sf", 3}, Top{"posit4", 16}, Top{"posit8", 16},
        Top{"posit32", 16}, Top{"takum8", 2}, Top{"takum32", 2}})
    EXPECT_EQ(block_top(format_named(format)), top) << format;
  const auto list = system_of_values("list", {{-2, NAN}, {-1, NAN}, {0, NAN}, {1, NAN}, {3, NAN}},
                                     ListOverflow::saturate);
  EXPECT_EQ(block_top(format_of_system(*list)), 2) << "the smaller end";
}

TEST(SharedExponent, IsTheLeastWithWhichTheLargestPartFits) {
  EXPECT_EQ(block_exponent(3, 3), 0);
  EXPECT_EQ(block_exponent(3.5, 3), 1);
  EXPECT_EQ(block_exponent(1.5, 3), -1);
  EXPECT_EQ(block_exponent(1.25, 3), -1);
  EXPECT_EQ(block_exponent(16, 16), 0);
  EXPECT_EQ(block_exponent(0x1p-1074, 2), -1075);
  EXPECT_EQ(block_exponent(0x1p1023, 1), 1023);
  EXPECT_EQ(block_exponent(0, 3), 0);
}

/// 48 = 2^2 12 and 2^e with e = 2. posit16 has 12 digits in [8, 16), steps of 2^-8; 8 in [2^-20,
/// 2^-16), steps of 2^-27 in its lowest binade; nothing rounds to zero.
TEST(SharedExponent, RoundsABlockAsByHand) {
  std::vector<double> re = {48, 4 * (9 + 0.75 * 0x1p-8), 0x1p-18 * (1 + 0x1p-7 + 0x1p-9), 0x1p-80,
                            0};
  std::vector<double> im = {-4 * (9 + 0.25 * 0x1p-8), 1, infinite, -0x1p-1070, -0.0};
  const View<double> x{re.data(), im.data(), 1, re.size(), re.size()};
  round_block(x, format_named("posit16"), Cast{}, Isa::baseline);
  EXPECT_EQ(re, (std::vector<double>{48, 4 * (9 + 0x1p-8), 0x1p-18 * (1 + 0x1p-7), 0x1p-54, 0}));
  EXPECT_EQ(im, (std::vector<double>{-36, 1, infinite, -0x1p-54, 0}));
}

/// The same bits whatever the input's size, and the same theory: so no store overflows or loses
/// what another size keeps, nor does a tensor engine that takes data in fp16 or fp8.
TEST(BlocksOfEverySystem, HaveTheSameBitsForEverySizeOfTheInput) {
  std::size_t rows = 0;
  for (const std::string& mode : systems())
    for (const char* algorithm : {"radix2-dit", "stockham-mixed", "dft-gemm", "bluestein"})
      for (const char* store : {"stage", "pass:2", "ends"}) {
        std::optional<Row> first;
        for (const char* scale : {"block", "input:2^-37+block", "input:2^41+block"}) {
          const Row row = evaluate({.algorithm = algorithm,
                                    .mode = mode,
                                    .machine = "ieee",
                                    .n = 64,
                                    .input = "gaussian",
                                    .rounding_points = store,
                                    .scale = scale});
          if (row.status == Status::skipped) continue;  // no engine takes the format
          ASSERT_EQ(row.status, Status::ok) << command_of(row.where) << row.message;
          if (!first) first = row;
          EXPECT_EQ(row.overflows, 0u) << command_of(row.where);
          EXPECT_EQ(row.underflows, first->underflows) << command_of(row.where);
          EXPECT_EQ(row.output_hash, first->output_hash) << command_of(row.where);
          const double bound = row.bound_l2_rel.value(), expected = row.expected_l2_rel.value_or(0);
          EXPECT_NEAR(bound, *first->bound_l2_rel, 1e-6 * bound) << command_of(row.where);
          EXPECT_NEAR(expected, first->expected_l2_rel.value_or(0), 1e-6 * expected)
              << command_of(row.where);
          ++rows;
        }
      }
  EXPECT_GT(rows, 500u);
}

/// Of a matrix of data too, which a tensor engine takes beside the others.
TEST(BlocksOfEverySystem, HaveTheSameBitsForEverySizeOfAMatrix) {
  for (const char* mode : {"fp16", "fp8_e4m3", "fp8_e5m2"}) {
    std::string hash;
    for (const char* scale : {"block", "input:2^-29+block", "input:2^33+block"}) {
      const Row row = evaluate({.transform = "cgemm",
                                .algorithm = "gemm",
                                .mode = mode,
                                .machine = "ieee",
                                .n = 32,
                                .input = "gaussian",
                                .rounding_points = "stage",
                                .scale = scale});
      ASSERT_EQ(row.status, Status::ok) << row.message;
      if (hash.empty()) hash = row.output_hash;
      EXPECT_EQ(row.output_hash, hash) << command_of(row.where);
      EXPECT_EQ(row.overflows, 0u) << command_of(row.where);
    }
  }
}

TEST(BlocksOfEverySystem, ErrByNoMoreThanTheirBound) {
  std::size_t bounded = 0;
  double closest = 0;
  for (const std::string& mode : systems())
    for (const char* casts : {"ieee", "ieee{casts=rz}", "ieee{casts=sr}"})
      for (const char* input : {"gaussian", "wide:phi=10", "impulse", "dc", "tone"})
        for (const char* store : {"stage", "ends"}) {
          const Row row = evaluate({.algorithm = "radix2-dit",
                                    .mode = mode,
                                    .machine = casts,
                                    .n = 64,
                                    .input = input,
                                    .rounding_points = store,
                                    .scale = "block"});
          if (!row.bound_l2_rel) continue;
          ASSERT_LE(*row.err_l2_rel, *row.bound_l2_rel) << command_of(row.where);
          if (row.bound_prob_l2_rel) {
            ASSERT_LE(*row.err_l2_rel, *row.bound_prob_l2_rel) << command_of(row.where);
          }
          closest = std::max(closest, *row.err_l2_rel / *row.bound_l2_rel);
          ++bounded;
        }
  EXPECT_EQ(bounded, systems().size() * 30);
  EXPECT_GT(closest, 0.1);
}

/// Where a format ends after few binades too: its small values have no digits left in the largest
/// block.
TEST(BlocksOfEverySystem, ErrAsExpected) {
  for (const std::string& mode : systems())
    for (const char* machine : {"ieee", "ieee{casts=sr}"})
      for (const char* algorithm : {"radix2-dit", "stockham-mixed"}) {
        std::vector<double> shares;
        bool is_taken = true;  // of an engine
        for (std::uint64_t seed = 1; seed <= 15; ++seed) {
          const Row row = evaluate({.algorithm = algorithm,
                                    .mode = mode,
                                    .machine = machine,
                                    .n = 256,
                                    .input = "gaussian",
                                    .seed = seed,
                                    .rounding_points = "stage",
                                    .scale = "block"});
          is_taken = row.status == Status::ok;
          if (row.expected_l2_rel) shares.push_back(*row.err_l2_rel / *row.expected_l2_rel);
        }
        if (!is_taken) continue;
        if (mode == "binary8p1se") {
          EXPECT_TRUE(shares.empty()) << "no model of one digit";
          continue;
        }
        ASSERT_EQ(shares.size(), 15u) << mode;
        std::sort(shares.begin(), shares.end());
        EXPECT_NEAR(shares[7], 1, 0.2) << mode << machine << algorithm;
      }
}

/// Far from one the systems have no digits left, or none at all; in blocks they have as many as
/// near one.
TEST(BlocksOfEverySystem, KeepTheDigitsOfSmallData) {
  for (const std::string& mode : systems()) {
    if (mode == "binary8p1se") continue;  // one digit everywhere, to 2^-63
    Case where{.algorithm = "radix2-dit",
               .mode = mode,
               .machine = "ieee",
               .n = 64,
               .input = "gaussian",
               .rounding_points = "stage",
               .scale = "input:2^-40"};
    const double without = *evaluate(where).err_l2_rel;
    where.scale = "input:2^-40+block";
    EXPECT_LT(*evaluate(where).err_l2_rel, 0.7 * without) << mode;
  }
}

/// fp32 holds 2^128 no longer; what becomes infinite there shows.
TEST(BlocksOfEverySystem, TakeDataAtTheTopOfFp32) {
  const Case where{.algorithm = "radix2-dit",
                   .mode = "fp8_e4m3fn",
                   .machine = "ieee",
                   .n = 4,
                   .input = "gaussian",
                   .rounding_points = "pass:2",
                   .scale = "block"};
  const Problem at_one = make_problem(problem_key(where));
  for (const int exponent : {118, 124, 127, 140}) {
    Problem problem = at_one;
    for (auto* parts : {&problem.input.re, &problem.input.im, &problem.truth.hi.re,
                        &problem.truth.hi.im, &problem.truth.lo.re, &problem.truth.lo.im})
      for (double& part : *parts) part = std::ldexp(part, exponent);
    const Row row = evaluate(where, problem);
    ASSERT_EQ(row.status, Status::ok) << row.message;
    if (exponent < 124)
      EXPECT_LE(*row.err_l2_rel, *row.bound_l2_rel);
    else
      EXPECT_TRUE(std::isfinite(*row.err_l2_rel) || row.overflows > 0) << exponent;
  }
}

TEST(BlocksOfEverySystem, AreRefusedWhereTheyHaveNoMeaning) {
  const auto reason = [](const char* mode, const char* store, const char* scale,
                         const char* algorithm = "radix2-dit") {
    const Row row = evaluate({.algorithm = algorithm,
                              .mode = mode,
                              .machine = "ieee",
                              .n = 4,
                              .input = "gaussian",
                              .rounding_points = store,
                              .scale = scale});
    EXPECT_EQ(row.status, Status::skipped) << mode;
    return row.message;
  };
  EXPECT_THAT(reason("mxint8", "stage", "block"), holds("blocks that have scales of their own"));
  EXPECT_THAT(reason("bf16", "stage", "block"), holds("has the range of fp32"));
  EXPECT_THAT(reason("posit16", "op", "block"), holds("after every operation"));
  EXPECT_THAT(reason("posit16", "stage", "block", "split-radix"), holds("parts of a block"));
  EXPECT_THAT(reason("mxint8", "stage", "stage:1/2", "radix2-dit:butterfly=rader-brenner"),
              holds("does not define its stages"));
}

/// No bound is derived where a ratio of twiddles may leave the range unseen, nor of a truth of
/// zero.
TEST(Bounds, AreNumbersOrNotStated) {
  std::size_t rows = 0;
  for (const char* algorithm :
       {"radix2-dit:butterfly=linzer-feig", "radix2-dit:butterfly=clamped",
        "stockham-r4:butterfly=goedecker", "split-radix:butterfly=linzer-feig", "dft-gemm"})
    for (const char* mode : {"posit16", "posit8", "takum16", "fp8_e4m3fn", "q1.15"})
      for (const char* machine : {"ieee", "ieee{casts=rz}", "ieee{casts=odd}"})
        for (const std::size_t n : {1u, 4u, 16u}) {
          const Case where{.algorithm = algorithm,
                           .mode = mode,
                           .machine = machine,
                           .n = n,
                           .input = "gaussian"};
          Problem zero = make_problem(problem_key(where));
          zero.input = zero.truth.hi = zero.truth.lo = ComplexArray<double>(n);
          for (const Row& row : {evaluate(where), evaluate(where, zero)})
            for (const auto& number : {row.bound_l2_rel, row.bound_prob_l2_rel, row.expected_l2_rel,
                                       row.expected_gain}) {
              EXPECT_TRUE(!number || std::isfinite(*number)) << command_of(row.where);
              ++rows;
            }
        }
  EXPECT_GT(rows, 1000u);
}

}  // namespace
}  // namespace fftprec::testing

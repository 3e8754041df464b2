/// Transforms as lists of rounded sums: on other inputs than those that the list is checked with it
/// gives the bits of the emulation, and an arithmetic that is more than such sums has no list.
#include "experiments/attribution/real_operations.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "experiments/attribution/vectors.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/session.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::attribution {

using testing::error_text;
using testing::holds;

namespace {

std::string refusal_of(const Case& where) {
  return error_text([&] { real_operations(where, 1); });
}

}  // namespace

TEST(RealOperations, GiveTheBitsOfTheEmulation) {
  const std::vector<Case> cases = {
      {.algorithm = "radix2-dit", .mode = "bf16", .machine = "ieee", .n = 16},
      {.algorithm = "radix2-dif", .mode = "fp16", .machine = "ieee{casts=rd}", .n = 8},
      {.algorithm = "split-radix", .mode = "fp64", .n = 16},
      {.algorithm = "stockham-r8", .mode = "fp32", .machine = "ieee", .n = 8},
      {.algorithm = "mixed-radix", .mode = "fp32", .machine = "ieee", .n = 9},
      {.algorithm = "dft-gemm", .mode = "bf16", .machine = "ieee", .n = 6},
      {.algorithm = "dft-gemm", .mode = "fp32", .machine = "ieee", .n = 5},
      {.algorithm = "row-column", .mode = "fp32", .machine = "ieee", .n = 8},
      {.algorithm = "four-step", .mode = "bf16", .machine = "ieee", .n = 16},
      {.transform = "ifft", .algorithm = "radix2-dit", .mode = "fp32", .machine = "ieee", .n = 8},
      {.algorithm = "stockham-r4",
       .mode = "q1.15",
       .machine = "ieee{casts=rnu,fixed.rounds=products}",
       .n = 16,
       .scale = "stage:1/2"},
      {.algorithm = "radix2-dit",
       .mode = "q1.31:table=q1.15",
       .machine = "ieee{casts=rd}",
       .tables = "fp32-angle",
       .n = 32,
       .scale = "stage:1/2"}};
  for (Case where : cases) {
    SCOPED_TRACE(where.algorithm + " " + where.mode);
    const RealOperations operations = real_operations(where, 0.5);
    where.input = "uniform:low=-0.25:high=0.75";
    for (where.seed = 101; where.seed < 105; ++where.seed) {
      const CasePlan plan = Session().plan(where);
      const ComplexArray<double> x = make_problem(plan).input;
      const ComplexArray<double> y = with_scale(plan, run_case(plan, x).values);

      const std::vector<double> results = results_of(operations, x);

      ASSERT_EQ(results.size(), 2 * y.size());
      for (std::size_t i = 0; i < y.size(); ++i) {
        EXPECT_EQ(results[2 * i], y.re[i]) << i;
        EXPECT_EQ(results[2 * i + 1], y.im[i]) << i;
      }
    }
  }
}

TEST(RealOperations, OfOtherArithmeticsAreRefusedWithTheReason) {
  const auto with_mode = [](const std::string& mode) {
    return refusal_of({.mode = mode, .machine = "ieee", .n = 8});
  };
  EXPECT_THAT(with_mode("posit16"), holds("precision depends on the size"));
  EXPECT_THAT(with_mode("doubleword"), holds("double words"));
  EXPECT_THAT(with_mode("bf16x3"), holds("cuts data into words"));
  EXPECT_THAT(with_mode("kahan"), holds("compensates"));
  EXPECT_THAT(with_mode("bf16_refined"), holds("refines"));
  EXPECT_THAT(refusal_of({.mode = "block(element=int:8,size=16)",
                          .machine = "ieee",
                          .n = 8,
                          .rounding_points = "stage"}),
              holds("shares exponents"));
  EXPECT_THAT(refusal_of({.algorithm = "radix2-dit:butterfly=linzer-feig", .mode = "fp32", .n = 8}),
              holds("no roots"));
  EXPECT_THAT(with_mode("custom(p=8,emin=-30,emax=30,subnormals=false)"), holds("no subnormals"));
  EXPECT_THAT(refusal_of({.mode = "bf16", .machine = "ieee{casts=sr}", .n = 8}),
              holds("rounds at random"));
  EXPECT_THAT(refusal_of({.algorithm = "dft-gemm", .mode = "bf16", .machine = "nv-hopper", .n = 8}),
              holds("tensor engine of nv-hopper"));
  EXPECT_THAT(refusal_of({.mode = "fp32", .n = 64}), holds("up to n = 32"));
  EXPECT_THAT(refusal_of({.mode = "q1.15", .machine = "ieee", .n = 32}),
              holds("every input overflows"));
}

/// Between its two products row-column keeps data in fp32, which the list does not know.
TEST(RealOperations, ThatWouldHaveOtherBitsAreRefused) {
  EXPECT_THAT(refusal_of({.algorithm = "row-column", .mode = "bf16", .machine = "ieee", .n = 8}),
              holds("more than rounded sums"));
}

TEST(PartBound, IsTheBoundTimesTheNormOfTheResult) {
  const Case where{.algorithm = "radix2-dit", .mode = "bf16", .machine = "ieee", .n = 8};
  const Row row = evaluate(where);
  ComplexArray<double> input(8);
  input.re.assign(8, 1);
  input.im.assign(8, 1);

  const auto bound = bound_of_parts(where, input);

  ASSERT_TRUE(bound);
  EXPECT_NEAR(bound->value, *row.bound_l2_rel * 8 * std::sqrt(2.0), 1e-12);
  EXPECT_EQ(bound->theorem, row.bound_name);
}

}  // namespace fftprec::attribution

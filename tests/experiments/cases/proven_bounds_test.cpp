/// The bounds of rows against those that Coq has proven and printed (proofs/bounds.csv), and which
/// rows say that theirs is one of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/testing/measure_result.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec::testing {

namespace {

using ::testing::EndsWith;
using ::testing::Not;

constexpr const char* mark = "+machine-checked";

struct ProvenBound {
  Case where;
  long double bound = 0;             ///< 64 bits of the 20 digits
  long double of_rounded_input = 0;  ///< of an input that is rounded to the mode's format first
};

std::vector<ProvenBound> proven_bounds() {
  std::ifstream file(FFTPREC_SOURCE_DIR "/proofs/bounds.csv");
  std::vector<ProvenBound> bounds;
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "algorithm,mode,n,bound,bound_of_rounded_input");
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    ProvenBound row{.where = {.machine = "ieee"}};
    std::string n, bound, of_rounded;
    std::getline(fields, row.where.algorithm, ',');
    std::getline(fields, row.where.mode, ',');
    std::getline(fields, n, ',');
    std::getline(fields, bound, ',');
    std::getline(fields, of_rounded);
    row.where.n = std::stoull(n);
    row.bound = std::stold(bound);
    row.of_rounded_input = std::stold(of_rounded);
    bounds.push_back(row);
  }
  return bounds;
}

/// Evaluated in fp64, then times this, a bound is never below the proven one.
constexpr long double upwards = 1 + 0x1p-44L;
/// Before, it errs by a few operations on positive numbers for each stage. Measured: from -3 to 6
/// times 2^-53.
constexpr long double evaluation_error = 0x1p-50L;

void expect_proven(const Case& where, bool input_rounded, long double proven) {
  Session session;
  Row row;
  predict_into(row, session.plan(where), nullptr, input_rounded, false);
  const long double stated = row.bound_l2_rel.value();
  EXPECT_GE(stated, proven) << command_of(where);
  EXPECT_LE(stated / upwards, proven * (1 + evaluation_error)) << command_of(where);
  EXPECT_EQ(row.bound_name.ends_with(mark), where.mode != "fp16") << command_of(where);
}

/// Compares the bounds for lengths above `above` and up to `longest`.
void expect_the_proven_ones(std::size_t above, std::size_t longest, std::size_t lengths) {
  std::size_t compared = 0;
  for (const ProvenBound& row : proven_bounds()) {
    if (row.where.n <= above || row.where.n > longest) continue;
    ++compared;
    expect_proven(row.where, false, row.bound);
    expect_proven(row.where, true, row.of_rounded_input);
  }
  EXPECT_EQ(compared, 3 * 4 * lengths);
}

}  // namespace

TEST(ProvenBounds, AreNotAboveThoseOfRows) { expect_the_proven_ones(1, 1 << 10, 10); }

TEST(ProvenBoundsOfGreatLengths, AreNotAboveThoseOfRows) {
  expect_the_proven_ones(1 << 10, 1 << 20, 10);
}

TEST(ProvenBounds, StandInRowsOfMeasuredErrors) {
  for (const ProvenBound& row : proven_bounds()) {
    if (row.where.n > 512) continue;
    const Row measured = evaluate(row.where);
    const bool in_fp16 = row.where.mode == "fp16";
    const long double proven =
        in_fp16 || row.where.mode == "bf16" ? row.of_rounded_input : row.bound;
    EXPECT_GE(*measured.bound_l2_rel, proven) << command_of(row.where);
    // In fp16 values below the normal numbers may add 2^-8 of it.
    const long double most = upwards * (1 + evaluation_error) * (in_fp16 ? 1 + 0x1p-8L : 1);
    EXPECT_LE(*measured.bound_l2_rel, proven * most) << command_of(row.where);
    EXPECT_LE(*measured.err_l2_rel, *measured.bound_l2_rel);
    EXPECT_EQ(measured.bound_name.ends_with(mark), !in_fp16) << command_of(row.where);
  }
}

// What the theorems do not speak of.
TEST(ProvenBounds, AreClaimedByNoOtherRow) {
  const std::vector<Case> others{
      {.mode = "fp16", .machine = "ieee", .n = 64},  // values below the normal numbers
      {.algorithm = "recursive", .machine = "ieee", .n = 64},
      {.algorithm = "radix2-dit:butterfly=linzer-feig", .machine = "ieee", .n = 64},
      {.mode = "tf32", .machine = "ieee", .n = 64},
      {.mode = "kahan", .machine = "ieee", .n = 64},
      {.machine = "trn-ftz", .n = 64},  // its vector engine has no subnormals
      {.mode = "bf16", .machine = "trn-sr", .n = 64},
      {.algorithm = "dft-gemm", .machine = "trn", .n = 64},
      {.transform = "ifft", .machine = "ieee", .n = 64},
      {.machine = "ieee", .tables = "fp32-angle", .n = 64},
      {.mode = "bf16", .machine = "ieee", .n = 64, .rounding_points = "stage"},
      {.mode = "bf16", .machine = "ieee", .n = 64, .scale = "input:2^-4"},
      {.algorithm = "dft-gemm", .machine = "ieee", .n = 60},
      {.machine = "ieee", .n = 1},
  };
  for (const Case& where : others) {
    const Row row = evaluate(where);
    ASSERT_EQ(row.status, Status::ok) << command_of(where) << ": " << row.message;
    EXPECT_THAT(row.bound_name, Not(EndsWith(mark))) << command_of(where);
  }
}

TEST(ProvenBounds, AreNotOfResultsThatOverflow) {
  const Case where{.machine = "ieee", .n = 64};
  Problem problem = make_problem(problem_key(where));
  for (auto* parts : {&problem.input.re, &problem.input.im})
    for (double& part : *parts) part = std::ldexp(part, 125);
  problem.truth = transform_named(where.transform).truth(problem.input, where.n, where.batch, {});
  const Row row = evaluate(where, problem);
  ASSERT_GT(row.overflows.value(), 0u);
  EXPECT_THAT(row.bound_name, Not(EndsWith(mark)));
}

/// 1/sqrt(32) rounds as well.
TEST(ProvenBounds, AreNotOfTransformsInAnotherNorm) {
  const ForeignProblem asked{.where = {.n = 32},
                             .problem = make_problem(problem_key(Case{.n = 32}))};
  Row plain;
  Row ortho;
  predict_result(plain, asked, {.machine = "ieee"});
  predict_result(ortho, in_norm(asked, Norm::ortho), {.machine = "ieee"});
  EXPECT_GT(ortho.bound_l2_rel.value(), plain.bound_l2_rel.value());
  EXPECT_THAT(plain.bound_name, EndsWith(mark));
  EXPECT_THAT(ortho.bound_name, Not(EndsWith(mark)));
}

}  // namespace fftprec::testing

/// Errors made by emulation and by hand, and the causes that are named.
#include "experiments/testing/error_causes.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "experiments/algorithms/registry.hpp"
#include "experiments/inputs/inputs.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec {
namespace {

using testing::holds;
using Complexes = std::vector<std::complex<double>>;

ForeignProblem noise_problem(const std::string& transform, std::size_t n, std::size_t batch,
                             double size = 1) {
  ComplexArray<double> x = make_input("gaussian", n, batch, 3);
  for (auto* part : {&x.re, &x.im})
    for (double& value : *part) value *= size;
  return foreign_problem(transform, n, {std::move(x), {batch, n}});
}

/// What a case makes of the problem.
ComplexArray<double> made_by(Case where, const ForeignProblem& asked) {
  where.transform = asked.where.transform;
  where.machine = "ieee";
  where.n = asked.where.n;
  where.batch = asked.where.batch;
  return run_in_mode(algorithm_named(where.algorithm), where, asked.problem.input).values;
}

/// y_k = sum over j of x_j factor(k, j) for each item, in double.
template <class Factor>
ComplexArray<double> by_factors(const ForeignProblem& asked, Factor factor) {
  const std::size_t n = asked.where.n;
  ComplexArray<double> y(asked.problem.input.size());
  for (std::size_t first = 0; first < y.size(); first += n)
    for (std::size_t k = 0; k < n; ++k) {
      std::complex<double> sum = 0;
      for (std::size_t j = 0; j < n; ++j)
        sum += std::complex(asked.problem.input.re[first + j], asked.problem.input.im[first + j]) *
               factor(k, j);
      y.re[first + k] = sum.real();
      y.im[first + k] = sum.imag();
    }
  return y;
}

std::complex<double> root(std::uint64_t exponent, std::uint64_t order) {
  return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(exponent % order) /
                             static_cast<double>(order));
}

std::string first_cause(const ErrorCauses& found) {
  return found.causes.empty() ? "none: " + found.as_expected : found.causes.front().says;
}

TEST(ErrorCauses, NameTablesOfAnInverseOfThirtyOnePoints) {
  const ForeignProblem asked = noise_problem("ifft", 31, 8);
  for (const char* algorithm : {"bluestein", "direct"}) {
    const ComplexArray<double> y =
        made_by({.algorithm = algorithm, .mode = "fp64", .tables = "exact:in=fp32"}, asked);

    const ErrorCauses found = error_causes(asked, y, fp64);

    ASSERT_FALSE(found.causes.empty()) << algorithm;
    EXPECT_NEAR(std::log10(*found.row.err_l2_rel), -7.5, 0.5);
    EXPECT_THAT(found.causes.front().says, holds(std::string("the tables of "), "exact:in=fp32"));
    EXPECT_GT(*found.causes.front().correlation, 0.99);
    EXPECT_EQ(found.causes.front().shown->transform, "ifft");
    EXPECT_EQ(found.causes.front().shown->tables, "exact:in=fp32");
  }
}

TEST(ErrorCauses, NameAChirpAlone) {
  constexpr std::uint64_t n = 31;
  const ForeignProblem asked = noise_problem("fft", n, 8);
  const auto in_float = [](std::complex<double> z) {
    return std::complex<double>(static_cast<float>(z.real()), static_cast<float>(z.imag()));
  };
  const auto chirp = [&](std::uint64_t j) { return in_float(root(j * j, 2 * n)); };
  const ComplexArray<double> y = by_factors(asked, [&](std::uint64_t k, std::uint64_t j) {
    return chirp(k) * chirp(j) * std::conj(chirp(k > j ? k - j : j - k));
  });

  const ErrorCauses found = error_causes(asked, y, fp64);

  ASSERT_FALSE(found.causes.empty());
  EXPECT_THAT(first_cause(found), holds("the chirp of bluestein alone is exact:in=fp32"));
  EXPECT_GT(*found.causes.front().correlation, 0.999);
  EXPECT_EQ(found.causes.front().shown->algorithm, "bluestein");
}

TEST(ErrorCauses, NameHowTwiddlesAreMade) {
  const ForeignProblem asked = noise_problem("fft", 1024, 2);
  for (const auto& [mode, tables] : {std::pair{"fp32", "bf16-angle:order=product"},
                                     {"fp32", "recurrence:by=chebyshev"},
                                     {"fp32", "recurrence"},
                                     {"fp64", "fp32-angle:order=product"},
                                     {"fp64", "recurrence:by=logarithmic:in=fp64"}}) {
    const ComplexArray<double> y =
        made_by({.algorithm = "radix2-dit", .mode = mode, .tables = tables}, asked);

    const ErrorCauses found = error_causes(asked, y, mode == std::string("fp32") ? fp32 : fp64);

    const std::string source = std::string(tables).substr(0, std::string(tables).find(":order"));
    EXPECT_THAT(first_cause(found), holds("the tables of ", source)) << tables;
  }
}

TEST(ErrorCauses, NameAWrongEntry) {
  constexpr std::uint64_t n = 64;
  const ForeignProblem asked = noise_problem("fft", n, 4);
  const ComplexArray<double> y = by_factors(asked, [](std::uint64_t k, std::uint64_t j) {
    const std::complex<double> off(2e-9, -1e-9);
    return root(j * k, n) + (j * k % n == 5 ? off : 0);
  });

  const ErrorCauses found = error_causes(asked, y, fp64);

  ASSERT_FALSE(found.causes.empty());
  EXPECT_THAT(first_cause(found), holds("exp(-2 pi i 5/64) is off by 2e-9 - 1e-9i"));
  EXPECT_TRUE(found.causes.front().by_diverge);
}

TEST(ErrorCauses, NameANarrowerFormat) {
  const ForeignProblem asked = noise_problem("fft", 64, 4);

  EXPECT_THAT(first_cause(error_causes(
                  asked, made_by({.algorithm = "split-radix", .mode = "fp32"}, asked), fp64)),
              holds("split-radix computes in fp32"));
}

TEST(ErrorCauses, NameAConvention) {
  const ForeignProblem asked = noise_problem("fft", 64, 4);
  ComplexArray<double> y = made_by({.algorithm = "radix2-dit", .mode = "fp64"}, asked);
  for (double& value : y.im) value = -value;

  const ErrorCauses found = error_causes(asked, y, fp64);

  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_THAT(first_cause(found), holds("the values are conjugated"));
  EXPECT_FALSE(found.causes.front().correlation.has_value());
}

TEST(ErrorCauses, NameAnOverflow) {
  const ForeignProblem asked = noise_problem("fft", 64, 4, 1e5);
  const ComplexArray<double> y = made_by({.algorithm = "radix2-dit", .mode = "fp16"}, asked);

  const ErrorCauses found = error_causes(asked, y, fp16);

  ASSERT_EQ(found.causes.size(), 1u);
  EXPECT_THAT(first_cause(found), holds("infinite or NaN", "fp16, whose largest number is 65504"));

  ComplexArray<double> other =
      made_by({.algorithm = "radix2-dit", .mode = "fp64"}, noise_problem("fft", 64, 4));
  other.re[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(first_cause(error_causes(noise_problem("fft", 64, 4), other, fp64)),
              holds("hold all results"));
}

TEST(ErrorCauses, FindNothingWrongWithCleanResults) {
  for (const std::size_t n : {31u, 256u, 1000u})
    for (const char* mode : {"fp64", "fp32"}) {
      const ForeignProblem asked = noise_problem("fft", n, 4);
      const std::string algorithm = usual_case(asked, fp64).algorithm;
      const ComplexArray<double> y = made_by({.algorithm = algorithm, .mode = mode}, asked);

      const ErrorCauses found = error_causes(asked, y, mode == std::string("fp32") ? fp32 : fp64);

      EXPECT_THAT(found.causes, ::testing::IsEmpty()) << n << first_cause(found);
      EXPECT_THAT(found.as_expected, holds("expected_l2_rel of ")) << n << mode;
    }
}

TEST(ErrorCauses, NameNoTableForErrorsOfNone) {
  // The size of errors of tables in fp32, but noise.
  const ForeignProblem asked = noise_problem("fft", 256, 4);
  ComplexArray<double> y = made_by({.algorithm = "radix2-dit", .mode = "fp64"}, asked);
  const ComplexArray<double> noise = make_input("gaussian", 256, 4, 77);
  for (std::size_t i = 0; i < y.size(); ++i) {
    y.re[i] += 1e-6 * noise.re[i];
    y.im[i] += 1e-6 * noise.im[i];
  }

  for (const ErrorCause& cause : error_causes(asked, y, fp64).causes)
    EXPECT_FALSE(cause.correlation.has_value()) << cause.says;
}

}  // namespace
}  // namespace fftprec

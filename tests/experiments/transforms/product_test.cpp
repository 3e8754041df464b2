/// product: exact results where the bound is below 1/2, no error above its bounds, the expected
/// error and the expected share of wrong products.
#include "algorithms/transforms/product.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/experiments/algorithms/expected_errors.hpp"

namespace fftprec::testing {

namespace {

const std::vector<std::string>& rings_and_forms() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const char* ring : {"linear", "cyclic", "negacyclic"})
      for (const char* form : {"complex", "half", "pair"})
        names.push_back("product:" + std::string(ring) + ":" + form);
    return names;
  }();
  return all;
}

/// c_k = sum_{i+j=k} a_i b_j, wrapped around.
std::vector<std::int64_t> product_of_digits(const ComplexArray<double>& operands, std::size_t n,
                                            const std::string& transform) {
  const bool is_linear = transform.find("linear") != std::string::npos;
  const bool is_negacyclic = transform.find("negacyclic") != std::string::npos;
  std::vector<std::int64_t> sums(is_linear ? 2 * n - 1 : n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const auto term = static_cast<std::int64_t>(operands.re[i] * operands.re[n + j]);
      if (i + j < sums.size())
        sums[i + j] += term;
      else
        sums[i + j - n] += is_negacyclic ? -term : term;
    }
  return sums;
}

/// The row is below its bounds, and its results round to the product where the bound is below 1/2.
/// False if the case has no meaning.
bool expect_sound_product(const Case& where) {
  const CasePlan plan = Session().plan(where);
  if (!plan.inapplicable().empty()) return false;
  const Problem problem = make_problem(plan);
  const Row row = evaluate(plan, problem);
  if (row.status == Status::skipped) return false;
  EXPECT_EQ(row.status, Status::ok) << command_of(where) << ": " << row.message;
  if (!row.bound_linf_abs) return false;
  const double bound = *row.bound_linf_abs;
  EXPECT_LE(row.err_linf_abs.value(), bound) << command_of(where);
  EXPECT_LE(row.bound_prob_linf_abs.value_or(0), bound) << command_of(where);
  if (row.bound_l2_rel) {
    EXPECT_LE(row.err_l2_rel.value(), *row.bound_l2_rel) << command_of(where);
  }
  const std::vector<std::int64_t> expected =
      product_of_digits(problem.input, where.n, where.transform);
  const Output output = run_case(plan, problem.input, {.round_trip = false});
  EXPECT_EQ(output.values.size(), expected.size()) << command_of(where);
  std::uint64_t wrong = 0;
  for (std::size_t k = 0; k < expected.size(); ++k)
    wrong += !(std::abs(output.values.re[k] - static_cast<double>(expected[k])) < 0.5);
  EXPECT_EQ(row.wrong_coefficients.value(), wrong) << command_of(where);
  if (bound < 0.5) {
    EXPECT_EQ(wrong, 0u) << command_of(where);
  }
  return bound < 0.5;
}

}  // namespace

TEST(Product, IsExactWhereItsBoundIsBelowOneHalf) {
  std::size_t exact = 0;
  for (std::uint64_t n = 1; n <= 64; ++n)
    for (const std::string& transform : rings_and_forms())
      exact += expect_sound_product({.transform = transform,
                                     .algorithm = n % 2 == 0 ? "mixed-radix" : "dft-gemm",
                                     .mode = "fp64",
                                     .n = n,
                                     .input = "integers:bits=16"});
  EXPECT_EQ(exact, 64 * 9u - 2 * 32u - 1);  // no half form of odd lengths, nor of one value
}

TEST(Product, IsExactWhereItsBoundIsBelowOneHalfInEveryMode) {
  for (const auto& [mode, bits] : {std::pair{"fp32", "6"},
                                   {"bf16", "1"},
                                   {"bf16x3:6", "4"},
                                   {"ozaki_hq", "3"},
                                   {"kahan", "6"},
                                   {"dot2", "6"},
                                   {"doubleword", "14"},
                                   {"slices:3x3", "3"},
                                   {"tf32", "2"}}) {
    std::size_t exact = 0;
    for (const std::uint64_t n : {1u, 2u, 3u, 12u, 16u})
      for (const std::string& transform : rings_and_forms())
        for (const char* algorithm : {"mixed-radix", "dft-gemm"}) {
          const Case where{.transform = transform,
                           .algorithm = algorithm,
                           .mode = mode,
                           .n = n,
                           .input = "integers:bits=" + std::string(bits)};
          exact += expect_sound_product(where);
        }
    EXPECT_GE(exact, 20u) << mode;
  }
}

/// Equal digits, of which only sums are left in the spectrum, and alternating ones, whose products
/// cancel.
TEST(Product, StaysBelowItsBoundsForDigitsAtTheirLimit) {
  for (const char* pattern : {"limit", "signs", "alternating"})
    for (const std::string& transform : rings_and_forms())
      for (const auto& [algorithm, n] : {std::pair{"radix2-dit", 2u},
                                         {"radix2-dit", 1024u},
                                         {"radix2-dif", 64u},
                                         {"stockham-r4", 64u},
                                         {"stockham-mixed", 128u},
                                         {"split-radix", 32u},
                                         {"recursive", 16u},
                                         {"mixed-radix", 60u},
                                         {"dft-gemm", 12u},
                                         {"dft-gemm", 64u},
                                         {"bluestein", 15u},
                                         {"four-step", 256u},
                                         {"good-thomas", 30u},
                                         {"direct", 16u}})
        for (const auto& [mode, tables] : {std::pair{"fp64", "exact"},
                                           {"fp32", "fp32-angle"},
                                           {"bf16", "exact"},
                                           {"ozaki", "fp32-angle"}})
          if (n <= 100 || std::string(mode) == "fp32")
            expect_sound_product({.transform = transform,
                                  .algorithm = algorithm,
                                  .mode = mode,
                                  .tables = tables,
                                  .n = n,
                                  .input = "integers:bits=10:pattern=" + std::string(pattern)});
}

TEST(Product, StaysBelowItsBoundsOnEveryMachine) {
  for (const char* machine : {"ieee", "trn-claim", "trn-rz"})
    for (const std::string& transform : rings_and_forms())
      for (const char* algorithm : {"radix2-dit", "dft-gemm", "stockham-mixed", "bluestein"})
        for (const char* mode : {"fp32", "bf16"})
          expect_sound_product({.transform = transform,
                                .algorithm = algorithm,
                                .mode = mode,
                                .machine = machine,
                                .n = 64,
                                .input = "integers:bits=9:sign=unsigned"});
}

/// Squares, parts and weights have truths and bounds of their own.
TEST(Product, StaysBelowItsBoundsInSquaresPartsAndWeights) {
  for (const char* transform :
       {"product:square", "product:cyclic:square", "product:negacyclic:half:square",
        "product:parts=2:base=32", "product:half:parts=3:base=16", "product:negacyclic:parts=2",
        "product:square:parts=2:base=32:cut=floor", "product:negacyclic:half:terms=3",
        "product:terms=4", "product:cyclic:square:terms=2", "product:cyclic:exponent=521",
        "product:cyclic:half:exponent=521", "product:cyclic:half:square:exponent=600",
        "product:cyclic:pair:exponent=521"})
    for (const char* pattern : {"random", "limit", "signs", "alternating"})
      for (const char* algorithm : {"radix2-dit", "dft-gemm"})
        for (const char* mode : {"fp64", "fp32", "bf16"}) {
          if (std::string(algorithm) == "dft-gemm" && std::string(pattern) != "random") continue;
          const bool is_weighted = std::string(transform).find("exponent") != std::string::npos;
          Case where{
              .transform = transform,
              .algorithm = algorithm,
              .mode = mode,
              .n = 64,
              .input = std::string(is_weighted ? "integers:exponent=521" : "integers:bits=10") +
                       ":pattern=" + pattern};
          for (const Row& row : rows_of_seeds(where, 1)) {
            ASSERT_EQ(row.status, Status::ok) << command_of(row.where) << ": " << row.message;
            EXPECT_LE(row.err_linf_abs.value(), row.bound_linf_abs.value())
                << command_of(row.where);
            EXPECT_LE(row.bound_prob_linf_abs.value_or(0), row.bound_linf_abs.value())
                << command_of(row.where);
            EXPECT_LE(row.err_l2_rel.value(), row.bound_l2_rel.value()) << command_of(row.where);
            if (std::string(mode) == "fp64") {
              EXPECT_LT(row.bound_linf_abs.value(), 0.5) << command_of(row.where);
              EXPECT_EQ(row.wrong_coefficients.value(), 0u) << command_of(row.where);
            }
          }
        }
}

TEST(Product, SaysWhyThereIsNone) {
  const auto reason = [](const char* transform, std::uint64_t n) {
    return Session().plan({.transform = transform, .algorithm = "dft-gemm", .n = n}).inapplicable();
  };

  EXPECT_EQ(reason("product:cyclic:half", 7),
            "the half form needs an even number of points, got 7");
  EXPECT_EQ(reason("product:pair:square", 8),
            "the pair form is of two sequences, and a square has one");
  EXPECT_EQ(reason("product:pair:parts=2", 8), "the pair form takes no parts");
  EXPECT_EQ(reason("product:exponent=64", 8), "weights belong to cyclic products");
  EXPECT_EQ(reason("product:pair:terms=2", 8), "the pair form takes no terms");
  EXPECT_EQ(reason("product:parts=2:terms=2", 8), "products in parts are not summed to terms");
  for (const char* more : {"parts", "terms"})
    EXPECT_EQ(reason(("product:cyclic:" + std::string(more) + "=2:exponent=64").c_str(), 8),
              "weighted sequences take no parts, and no terms");
  EXPECT_EQ(reason("product:cyclic:exponent=7", 8),
            "exponent=7 leaves some of n = 8 digits without a bit");
}

namespace {

/// How products of 2000 pairs went: wrong ones, and their errors relative to what is expected.
struct Counted {
  std::size_t wrong = 0;
  double rms_ratio = 0;
  double largest_ratio = 0;  ///< mean of err_linf_abs over the mean of expected_linf_abs
  double failure_prob = 0;   ///< mean
  std::size_t results = 0;   ///< of one product
};

constexpr std::size_t trials = 2000;
constexpr std::size_t predictions =
    200;  // the size of a product enters, and varies from seed to seed

Counted count_wrong_products(Case where) {
  Counted counted;
  const std::vector<Row> rows = rows_of_seeds(where, predictions);
  double expected = 0;
  double expected_largest = 0;
  for (const Row& row : rows) {
    expected += row.expected_l2_rel.value() * row.expected_l2_rel.value() / predictions;
    expected_largest += row.expected_linf_abs.value() / predictions;
    counted.failure_prob += row.failure_prob.value() / predictions;
  }
  where.batch = trials;
  where.seed = 100;
  const CasePlan plan = Session().plan(where);
  const Problem problem = make_problem(plan);
  const ComplexArray<double> y = run_case(plan, problem.input, {.round_trip = false}).values;
  counted.results = y.size() / trials;
  double errors = 0;
  double truths = 0;
  double largest_sum = 0;
  for (std::size_t item = 0; item < trials; ++item) {
    double largest = 0;
    for (std::size_t k = 0; k < counted.results; ++k) {
      const double truth = problem.truth.hi.re[item * counted.results + k];
      const double error = y.re[item * counted.results + k] - truth;
      errors += error * error;
      truths += truth * truth;
      largest = std::max(largest, std::abs(error));
    }
    counted.wrong += largest >= 0.5;
    largest_sum += largest / trials;
  }
  counted.rms_ratio = std::sqrt(errors / truths / expected);
  counted.largest_ratio = largest_sum / expected_largest;
  return counted;
}

}  // namespace

/// The law takes errors for independent, and their mean size from the RMS model, which is up to a
/// tenth high where digits are so short that first stages are exact: a factor of two.
TEST(ProductLaw, PredictsTheShareOfWrongProducts) {
  struct Trial {
    const char* transform;
    const char* algorithm;
    const char* digits;
    const char* mode = "fp32";
    std::size_t n = 64;
  };
  for (const auto& [transform, algorithm, digits, mode, n] :
       {Trial{"product", "radix2-dit", "mod=1200"},
        Trial{"product:cyclic", "radix2-dit", "mod=1100"},
        Trial{"product:negacyclic:half", "radix2-dit", "mod=1050"},
        Trial{"product:square", "radix2-dit", "mod=1000"},
        Trial{"product:half", "dft-gemm", "mod=1100"},
        Trial{"product:negacyclic:half", "dft-gemm", "mod=1000"},
        Trial{"product:cyclic", "radix2-dit", "bits=24", "fp64", 256},
        Trial{"product:negacyclic:half", "radix2-dit", "bits=24", "fp64", 256},
        Trial{"product:negacyclic:half", "split-radix", "bits=24", "fp64", 256}}) {
    const Case where{.transform = transform,
                     .algorithm = algorithm,
                     .mode = mode,
                     .n = n,
                     .input = "integers:" + std::string(digits)};

    const Counted counted = count_wrong_products(where);

    const double share = static_cast<double>(counted.wrong) / trials;
    const double interval = 3.3 * std::sqrt(share * (1 - share) / trials);  // 99.9 %
    EXPECT_GT(share, 0.03) << command_of(where);
    EXPECT_LT(share, 0.6) << command_of(where);
    EXPECT_GE(counted.failure_prob, (share - interval) / 2) << command_of(where);
    EXPECT_LE(counted.failure_prob, (share + interval) * 2) << command_of(where);
    EXPECT_NEAR(counted.largest_ratio, 1, 0.15) << command_of(where);
    EXPECT_NEAR(counted.rms_ratio, 1, 0.2) << command_of(where);
  }
}

TEST(ProductLaw, ExpectsTheLargestErrorOfFp64WithinATenth) {
  for (const char* transform : {"product:negacyclic:half", "product:half", "product:cyclic"}) {
    double found = 0;
    double expected = 0;
    const Case where{.transform = transform,
                     .algorithm = "radix2-dit",
                     .mode = "fp64",
                     .n = 256,
                     .input = "integers:mod=50000000"};
    for (const Row& row : rows_of_seeds(where, 40)) {
      found += row.err_linf_abs.value();
      expected += row.expected_linf_abs.value();
    }
    EXPECT_NEAR(found / expected, 1, 0.1) << command_of(where);
  }
}

namespace {

void expect_expectation(const char* transform, const char* algorithm, const char* mode) {
  const bool is_weighted = std::string(transform).find("exponent") != std::string::npos;
  const std::vector<Row> rows =
      rows_of_seeds({.transform = transform,
                     .algorithm = algorithm,
                     .mode = mode,
                     .n = 256,
                     .input = is_weighted ? "integers:exponent=6000" : "integers:bits=30"},
                    10);
  if (rows.front().status == Status::skipped) return;  // stockham-r4 of 128 points
  ASSERT_TRUE(rows.front().expected_l2_rel) << command_of(rows.front().where);
  EXPECT_NEAR(rms_ratio(rows), 1, 0.15) << command_of(rows.front().where);
}

/// (1 + a)(1 + b) - 1.
double composed(double a, double b) { return a + b + a * b; }

/// The bound of a transform of 64 points by radix2-dit in fp64.
double bound_of(const char* transform) {
  return *evaluate({.transform = transform,
                    .algorithm = "radix2-dit",
                    .mode = "fp64",
                    .n = 64,
                    .input = "integers:bits=8"})
              .bound_l2_rel;
}

}  // namespace

/// R ((1 + B_f)^2 (1 + sqrt(5) u)(1 + u)^(p-1) (1 + B_i) - 1), R the sum over i + j = s of the
/// products of norms.
TEST(ProductBound, IsComposedOfThreeTransformsAndAProduct) {
  constexpr double u = 0x1p-53;
  const double forward = bound_of("fft");
  const double product = composed(composed(forward, forward), std::sqrt(5.0) * u);
  for (const std::size_t parts : {1u, 2u}) {
    const Case where{.transform = parts == 1 ? "product:cyclic" : "product:cyclic:parts=2:base=64",
                     .algorithm = "radix2-dit",
                     .mode = "fp64",
                     .n = 64,
                     .input = "integers:bits=12"};
    const ComplexArray<double> x = make_problem(problem_key(where)).input;
    std::vector<double> norms;
    for (std::size_t first = 0; first < x.size(); first += 64) {
      double sum = 0;
      for (std::size_t j = first; j < first + 64; ++j) sum += x.re[j] * x.re[j];
      norms.push_back(std::sqrt(sum));
    }
    double reference = norms[0] * norms[1];
    if (parts == 2)
      reference = std::max(
          {norms[0] * norms[2], norms[0] * norms[3] + norms[1] * norms[2], norms[1] * norms[3]});
    const double sums = parts == 2 ? composed(product, u) : product;

    const double expected = reference * composed(sums, bound_of("ifft"));
    EXPECT_NEAR(*evaluate(where).bound_linf_abs / expected, 1, 1e-5) << parts << " parts";
  }
}

TEST(ProductExpectation, IsMetInEveryRingAndForm) {
  for (const std::string& transform : rings_and_forms())
    for (const char* mode : {"fp64", "fp32"})
      expect_expectation(transform.c_str(), "radix2-dit", mode);
}

TEST(ProductExpectation, IsMetByEveryAlgorithm) {
  for (const char* algorithm : {"radix2-dif", "stockham-r4", "stockham-mixed", "split-radix",
                                "recursive", "mixed-radix", "dft-gemm", "four-step"})
    for (const char* transform : {"product:half", "product:negacyclic"})
      expect_expectation(transform, algorithm, "fp32");
  for (const char* algorithm : {"stockham-r4", "recursive", "dft-gemm"})
    expect_expectation("product:cyclic", algorithm, "fp32");
  expect_expectation("product", "dft-gemm", "fp64");  // real and padded
  expect_expectation("product:half", "radix2-dif", "bf16");
}

TEST(ProductExpectation, IsMetBySquaresPartsAndWeights) {
  for (const char* transform :
       {"product:square", "product:cyclic:square", "product:half:square",
        "product:negacyclic:half:square", "product:parts=2", "product:cyclic:half:parts=2",
        "product:cyclic:half:parts=6:base=32", "product:negacyclic:half:terms=2",
        "product:half:terms=6", "product:negacyclic:half:terms=40", "product:cyclic:terms=3",
        "product:cyclic:exponent=6000", "product:cyclic:half:exponent=6000"})
    expect_expectation(transform, "radix2-dit", "fp64");
  expect_expectation("product:square", "dft-gemm", "fp64");
  expect_expectation("product:cyclic:square", "dft-gemm", "fp64");
}

/// Sums of the spectra of 100 products have more errors than the rest.
TEST(ProductExpectation, CountsTheSumsOfTerms) {
  const auto expected = [](const char* transform) {
    return *evaluate({.transform = transform,
                      .algorithm = "radix2-dit",
                      .mode = "fp64",
                      .n = 64,
                      .input = "integers:bits=30"})
                .expected_l2_rel;
  };
  EXPECT_GT(expected("product:negacyclic:half:terms=100"),
            1.3 * expected("product:negacyclic:half"));
}

TEST(ProductExpectation, IsUnknownWithChirpsAndWhereRealDataAreNotTreatedAlike) {
  for (const char* algorithm : {"bluestein", "radix2-dif", "split-radix"})
    EXPECT_FALSE(evaluate({.transform = "product:cyclic",
                           .algorithm = algorithm,
                           .mode = "fp64",
                           .n = 64,
                           .input = "integers:bits=20"})
                     .expected_l2_rel)
        << algorithm;
}

}  // namespace fftprec::testing

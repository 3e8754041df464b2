/// The noise of external products against products of keys that encrypt zero, in integers of 128
/// bits, and against the exact truth of the runs; published formulas against its model.
#include "experiments/search/torus_noise.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/claims/claim.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::search {

using testing::error_text;
using testing::holds;

namespace {

__extension__ using Wide = __int128;
using Polynomial = std::vector<std::int64_t>;

/// sum += a b modulo x^n + 1.
void add_product(const Polynomial& a, const Polynomial& b, std::vector<Wide>& sum) {
  const std::size_t n = a.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const Wide term = static_cast<Wide>(a[i]) * b[j];
      sum[(i + j) % n] += i + j < n ? term : -term;
    }
}

/// The nearest to 0 of the numbers that differ by multiples of 2^53.
std::int64_t on_torus(Wide value) {
  const std::uint64_t low = static_cast<std::uint64_t>(value) << 11;
  return static_cast<std::int64_t>(low) >> 11;
}

/// An external product by FFTs, with a key that encrypts zeros under binary secrets: the sum of the
/// squares of the errors of its phase, the torus being 1.
double squares_of_phase_errors(const CasePlan& plan, const ExternalProduct& product,
                               std::mt19937_64& generator) {
  const std::size_t n = plan.n();
  const auto uniform = [&](std::int64_t least, std::int64_t greatest) {
    Polynomial p(n);
    std::uniform_int_distribution<std::int64_t> value(least, greatest);
    for (std::int64_t& one : p) one = value(generator);
    return p;
  };
  std::vector<Polynomial> secrets;
  for (std::size_t c = 0; c < product.dimension; ++c) secrets.push_back(uniform(0, 1));
  std::vector<Polynomial> digits;
  std::vector<std::vector<Polynomial>> key;  // of every row
  const auto half = static_cast<std::int64_t>(product.base / 2);
  for (std::size_t row = 0; row < product.terms(); ++row) {
    digits.push_back(uniform(-half, half - 1));
    std::vector<Polynomial> columns;
    std::vector<Wide> body(n);
    for (const Polynomial& secret : secrets) {
      columns.push_back(uniform(-(std::int64_t{1} << 52), (std::int64_t{1} << 52) - 1));
      add_product(columns.back(), secret, body);
    }
    columns.emplace_back(n);
    for (std::size_t i = 0; i < n; ++i) columns.back()[i] = on_torus(body[i]);
    key.push_back(std::move(columns));
  }
  ComplexArray<double> input(2 * product.terms() * n * (product.dimension + 1));
  std::size_t at = 0;
  for (std::size_t column = 0; column <= product.dimension; ++column)
    for (const bool is_digits : {false, true})
      for (std::size_t row = 0; row < product.terms(); ++row)
        for (const std::int64_t value : is_digits ? digits[row] : key[row][column])
          input.re[at++] = static_cast<double>(value);

  const ComplexArray<double> y = run_case(plan, input, {.round_trip = false}).values;

  std::vector<long double> phase(n);
  for (std::size_t column = 0; column <= product.dimension; ++column) {
    std::vector<Wide> exact(n);
    for (std::size_t row = 0; row < product.terms(); ++row)
      add_product(key[row][column], digits[row], exact);
    std::vector<long double> error(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double computed = y.re[column * n + i];
      const double whole = std::floor(computed);
      error[i] = static_cast<long double>(static_cast<Wide>(whole) - exact[i]) + (computed - whole);
    }
    if (column == product.dimension) {
      for (std::size_t i = 0; i < n; ++i) phase[i] += error[i];
      continue;
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (secrets[column][j] != 0) phase[(i + j) % n] -= i + j < n ? error[i] : -error[i];
  }
  double sum = 0;
  for (const long double error : phase)
    sum += static_cast<double>(std::ldexp(error, -53) * std::ldexp(error, -53));
  return sum;
}

Case named(const char* transform, std::uint64_t n, const char* mode = "fp64") {
  return {.transform = transform, .mode = mode, .n = n};
}

}  // namespace

/// Half of the phase's energy is in few frequencies, where binary secrets have theirs, so a product
/// counts little more than one error: 600 of them for 5 %.
TEST(TorusNoise, IsThatOfThePhaseOfAnExternalProduct) {
  for (const auto& [name, n] : {std::pair{"torus:base=2^15", 64u},
                                {"torus:base=2^8:levels=3:dimension=2", 32u},
                                {"torus:base=2^23:levels=2", 64u}}) {
    const ExternalProduct product = external_product_named(name);
    Session session;
    Case where = with_external_product(named("product:negacyclic:half", n), product);
    const std::optional<double> expected =
        torus_noise(session, where, product, {.runs = 1}).expected;
    ASSERT_TRUE(expected) << name;
    where.batch = product.dimension + 1;
    const CasePlan plan = session.plan(where);
    const auto held = plan.transforms();
    std::mt19937_64 generator(1);
    constexpr int products = 600;
    double squares = 0;
    for (int i = 0; i < products; ++i) squares += squares_of_phase_errors(plan, product, generator);

    const double measured = std::sqrt(squares / (products * static_cast<double>(n)));
    EXPECT_NEAR(measured / *expected, 1, 0.05) << name;
  }
}

/// In fp32 the model rounds digits, too, which fit into it and are not rounded.
TEST(TorusNoise, IsMeasuredAsExpected) {
  for (const char* transform : {"product:negacyclic:half", "product:negacyclic"})
    for (const char* mode : {"fp64", "fp32"})
      for (const auto& [name, n] : {std::pair{"torus:base=2^23", 2048u},
                                    {"torus:base=2^6:levels=6", 256u},
                                    {"torus:base=2^10:levels=2:dimension=4:bits=32", 512u}}) {
        const ExternalProduct product = external_product_named(name);
        Session session;
        const Case where = with_external_product(named(transform, n, mode), product);
        const TorusNoise noise = torus_noise(session, where, product, {.runs = 10});

        ASSERT_TRUE(noise.expected) << name;
        const double margin = std::string(mode) == "fp64" ? 0.05 : 0.1;
        EXPECT_NEAR(noise.measured / *noise.expected, 1, margin)
            << command_of(where) << ": " << noise.measured << ", expected " << *noise.expected;
      }
}

/// Two formulas that were fitted or derived elsewhere, and the claims that judge them.
TEST(TorusNoise, IsTheModelByWhichClaimsReadPublishedVariances) {
  using Formula = double (*)(double n, double k);
  constexpr double q_square = 0x1p-128;
  const Formula of_tfhe_rs = [](double n, double k) {
    return 0.00705 * 0x1p22 * q_square * std::pow(k, 1.220) * std::pow(n, 2.220) *
           std::pow(k + 1, 1.018);
  };
  const Formula of_concrete = [](double n, double k) {
    return std::exp2(-2.57722494) * 0x1p22 * q_square * n * n * (k + 1);
  };
  const auto relative_error = [](Formula formula, std::uint64_t n, std::size_t k) {
    const ExternalProduct product{.base = 1 << 15, .dimension = k};
    const double deviation =
        0x1p15 * std::sqrt(formula(static_cast<double>(n), static_cast<double>(k)));
    return deviation / product.noise(1, n);
  };
  const std::vector<claims::Claim> all = claims::builtin_claims(check_names);
  const auto check = [&](const char* claim, const char* name) -> const gates::Gate& {
    const auto& checks = std::ranges::find(all, claim, &claims::Claim::id)->checks;
    return std::ranges::find(checks, name, [](const auto& one) { return one.gate.name; })->gate;
  };
  const auto expect_figure = [](double printed, double found) {
    EXPECT_NEAR(printed / found, 1, 1e-3) << printed;
  };

  std::vector<std::pair<std::uint64_t, std::size_t>> fitted{
      {512, 4}, {1024, 2}, {1024, 3}, {2048, 1}, {2048, 2}, {4096, 1}, {8192, 1}};
  std::vector<double> printed;
  for (const auto& figure : check("C31", "fit").figures)
    printed.push_back(std::stod(figure.value.text));
  std::vector<double> found;
  for (const auto& [n, k] : fitted) found.push_back(relative_error(of_tfhe_rs, n, k));
  std::ranges::sort(printed);
  std::ranges::sort(found);
  ASSERT_EQ(printed.size(), found.size());
  for (std::size_t i = 0; i < found.size(); ++i) expect_figure(printed[i], found[i]);
  expect_figure(std::stod(check("C32", "margin").figures.at(0).value.text),
                relative_error(of_concrete, 2048, 1));
  for (const auto& [name, k] : {std::pair{"k1", 1u}, {"k4", 4u}, {"k6", 6u}})
    expect_figure(check("C32", name).limit, relative_error(of_concrete, 2048, k));
}

TEST(TorusNoise, RefusesWhatIsNoExternalProduct) {
  const auto refusal = [](const char* name) {
    return error_text([&] { external_product_named(name); });
  };
  const auto misuse = [](const Case& where) {
    return error_text([&] { with_external_product(where, {.base = 1 << 15}); });
  };
  Case with_input = named("product:negacyclic", 64);
  with_input.input = "integers:bits=3";

  EXPECT_THAT(refusal("torus"), holds("base='' is no whole number"));
  EXPECT_THAT(refusal("torus:base=1"), holds("base='1' is no whole number from 2 to 2^52"));
  EXPECT_THAT(refusal("torus:bass=2^3"), holds("bass", "base", "levels", "dimension"));
  EXPECT_THAT(refusal("torus:base=2^3:bits=65"), holds("1 to 64"));
  for (const char* transform : {"fft", "product:half", "product:negacyclic:pair",
                                "product:negacyclic:square", "product:negacyclic:parts=2"})
    EXPECT_THAT(misuse(named(transform, 64)), holds("product:negacyclic:half, not ", transform));
  EXPECT_THAT(misuse(with_input), holds("sets the input"));
}

TEST(TorusNoise, HasNoExpectationWhereTheLawIsUnknown) {
  const ExternalProduct product = external_product_named("torus:base=2^15");
  Case where = named("product:negacyclic", 64);
  where.algorithm = "bluestein";
  Session session;
  const TorusNoise noise =
      torus_noise(session, with_external_product(where, product), product, {.runs = 2});

  EXPECT_FALSE(noise.expected);
  EXPECT_GT(noise.measured, 0);
}

}  // namespace fftprec::search

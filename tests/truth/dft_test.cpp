/// dft against the definition at 512 bits: the radius is never violated, and the check can see it.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/bound.hpp"
#include "arith/truth/fourier.hpp"
#include "arith/truth/transforms.hpp"
#include "tests/truth/judge.hpp"

namespace fftprec::testing {
namespace {

using truth::dft;
using truth::Tier;
using truth::Truth;

/// What storing as two doubles costs when nothing underflows, with the transform's share on top.
constexpr double usual_radius() { return 0x1.1p-106; }

std::string describe(std::size_t n, Direction direction, Stress stress, std::uint64_t seed) {
  return "n = " + std::to_string(n) +
         (direction == Direction::inverse ? " inverse " : " forward ") + name_of(stress) +
         " seed " + std::to_string(seed);
}

TEST(Dft, KeepsItsRadiusAgainstTheDefinitionForEveryShortLength) {
  for (std::size_t n = 1; n <= 64; ++n)
    for (const Direction direction : both_directions) {
      SCOPED_TRACE(describe(n, direction, Stress::gaussian, n));
      const auto x = stress_input(Stress::gaussian, 2 * n, n);
      const Exact exact = by_definition(x, n, direction);

      const Truth truth = dft(x, n, direction, in_mpfr);
      const Truth pairs = dft(x, n, direction);

      expect_honest(truth, exact);
      EXPECT_LE(truth.radius_rel, usual_radius());
      EXPECT_GE(truth.bits, 105);
      expect_honest(pairs, exact);
      EXPECT_EQ(pairs.tier, Tier::double_double);
      EXPECT_GE(pairs.bits, 92);
    }
}

TEST(Dft, KeepsItsRadiusOnEveryStressfulInput) {
  for (const std::size_t n : {8u, 24u, 37u, 100u})
    for (const Direction direction : both_directions)
      for (const Stress stress : all_stresses) {
        SCOPED_TRACE(describe(n, direction, stress, 7));
        const auto x = stress_input(stress, n, 7);
        const Exact exact = by_definition(x, n, direction);

        const Truth truth = dft(x, n, direction, in_mpfr);

        expect_honest(truth, exact);
        expect_honest(dft(x, n, direction), exact);
        if (stress != Stress::subnormal && stress != Stress::tiny) {
          EXPECT_LE(truth.radius_rel, usual_radius());
        }
      }
}

TEST(Dft, AgreesWithArbsEnclosuresForLongerLengths) {
  for (const std::size_t n : {97u, 100u, 121u, 128u, 625u, 1000u, 1024u})
    for (const Direction direction : both_directions)
      for (const Stress stress : {Stress::gaussian, Stress::wide}) {
        SCOPED_TRACE(describe(n, direction, stress, n));
        const auto x = stress_input(stress, n, n);

        const Exact exact = by_arb(x, n, direction);

        expect_honest(dft(x, n, direction, in_mpfr), exact);
        expect_honest(dft(x, n, direction, in_pairs), exact);
      }
}

TEST(Dft, KeepsItsRadiusAgainstTheDefinitionForPrimeLengths) {
  for (const std::size_t n : {127u, 257u, 509u}) {
    SCOPED_TRACE(describe(n, Direction::forward, Stress::wide, n));
    const auto x = stress_input(Stress::wide, n, n);

    const Exact exact = by_definition(x, n, Direction::forward);

    expect_honest(dft(x, n, Direction::forward, in_mpfr), exact);
    expect_honest(dft(x, n, Direction::forward, in_pairs), exact);
  }
}

TEST(Dft, OneFlippedBitInOneElementExceedsTheRadius) {
  const std::size_t n = 128;
  const auto x = stress_input(Stress::gaussian, n, 11);
  const Exact exact = by_definition(x, n, Direction::forward);
  for (const std::size_t k : {0u, 1u, 63u, 127u}) {
    Truth truth = dft(x, n, Direction::forward, in_mpfr);
    double& part = truth.hi.im[k];
    part = std::bit_cast<double>(std::bit_cast<std::uint64_t>(part) ^ 1);

    EXPECT_GT(error_of(truth, exact), truth.radius_rel) << "element " << k;
  }
}

TEST(Dft, SubnormalResultsEnlargeTheRadius) {
  const auto x = stress_input(Stress::subnormal, 16, 5);

  const Truth truth = dft(x, 16, Direction::forward);

  EXPECT_GT(truth.radius_rel, usual_radius());
  EXPECT_LT(truth.bits, 20);
}

TEST(Dft, BadInputIsAnInputError) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ComplexArray<double> x(4);
  EXPECT_THROW(dft(x, 0, Direction::forward), InputError);
  EXPECT_THROW(dft(x, 3, Direction::forward), InputError);
  EXPECT_THROW(dft(x, 4, Direction::forward, {.precision_bits = 20}), InputError);
  x.im[2] = nan;
  EXPECT_THROW(dft(x, 4, Direction::forward), InputError);
  x.im[2] = -infinity;
  EXPECT_THROW(dft(x, 4, Direction::forward), InputError);
  x.im[2] = 0;
  x.re[0] = x.re[1] = std::numeric_limits<double>::max();
  EXPECT_THROW(dft(x, 4, Direction::forward), InputError);
}

TEST(Dft, ThreadsGetTheSameTruth) {
  const auto x = stress_input(Stress::gaussian, 96, 2);
  const truth::TruthOptions together;  // whose plans the threads share
  const Truth expected = dft(x, 96, Direction::forward);
  std::vector<Truth> found(4);
  std::vector<std::thread> threads;
  for (Truth& truth : found)
    threads.emplace_back([&] {
      for (const std::size_t n : {8u, 96u, 12u, 48u, 96u})
        truth = dft(x, n, Direction::forward, together);
    });
  for (std::thread& thread : threads) thread.join();
  for (const Truth& truth : found) EXPECT_EQ(truth.hi, expected.hi);
}

TEST(Fourier, TheCacheTellsLengthsAndPrecisionsApart) {
  truth::Plans plans;
  const auto first = plans.in_mpfr(40, 128);
  EXPECT_EQ(plans.in_mpfr(40, 128), first);
  EXPECT_EQ(plans.in_mpfr(40, 160)->precision(), 160);
  EXPECT_EQ(plans.in_mpfr(41, 128)->name(), "bluestein over 128");
  EXPECT_EQ(plans.in_mpfr(64, 128)->name(), "radix-2");
  for (std::size_t n = 1; n <= 8; ++n) EXPECT_EQ(plans.in_mpfr(n, 60)->size(), n);
  EXPECT_EQ(plans.in_mpfr(40, 128), first);
  for (std::size_t n = 1; n <= 12; ++n) EXPECT_EQ(plans.in_mpfr(n, 60)->size(), n);
  EXPECT_NE(plans.in_mpfr(40, 128), first);
}

TEST(Fourier, LowPrecisionKeepsItsOwnBoundAndIsNotFarBelowIt) {
  for (const std::size_t n : {4u, 8u, 256u, 3u, 31u, 33u, 500u}) {
    SCOPED_TRACE(describe(n, Direction::forward, Stress::gaussian, n));
    const auto x = stress_input(Stress::gaussian, n, n);
    const truth::Fourier fourier(n, 53);
    truth::ComplexReals z(n, 53);
    for (std::size_t j = 0; j < n; ++j) {
      mpfr_set_d(z.re[j], x.re[j], MPFR_RNDN);
      mpfr_set_d(z.im[j], x.im[j], MPFR_RNDN);
    }
    fourier(z);
    Truth stored{.hi = ComplexArray<double>(n), .lo = ComplexArray<double>(n), .n = n};
    for (std::size_t k = 0; k < n; ++k) {
      stored.hi.re[k] = mpfr_get_d(z.re[k], MPFR_RNDN);
      stored.hi.im[k] = mpfr_get_d(z.im[k], MPFR_RNDN);
    }

    const double error = error_of(stored, by_arb(x, n, Direction::forward));
    EXPECT_LE(error, fourier.radius());
    EXPECT_GE(error, 0x1p-56);
    EXPECT_EQ(fourier.radius(), truth::Fourier::radius(n, 53));
  }
}

/// The same formulas in 500 bits: an upward rounded double lies above, but barely.
TEST(Radius, IsTheFormulaRoundedUpward) {
  const auto power = [](double base_excess, unsigned long count) {
    truth::Real p(1, 500);
    mpfr_add_d(p, p, base_excess, MPFR_RNDN);
    mpfr_pow_ui(p, p, count, MPFR_RNDN);
    mpfr_sub_ui(p, p, 1, MPFR_RNDN);
    return mpfr_get_d(p, MPFR_RNDN);
  };
  const double u = 0x1p-128;
  const double g = (0.7072 + std::sqrt(5.0)) * u;
  const auto slightly_more = [](double x) { return x * (1 + 0x1p-40); };
  for (const int t : {0, 1, 2, 3, 10, 20}) {
    const double formula = power(u, static_cast<unsigned long>(t)) +
                           power(g, static_cast<unsigned long>(t > 2 ? t - 2 : 0));
    EXPECT_GE(truth::radix2_radius(t, 128), formula * (1 - 0x1p-50)) << t;
    EXPECT_LE(truth::radix2_radius(t, 128), slightly_more(formula) + 1e-300) << t;
  }
  const double direct = std::sqrt(7.0) * (g + 6 * u);
  EXPECT_GE(truth::direct_radius(7, 128), direct * (1 - 0x1p-50));
  EXPECT_LE(truth::direct_radius(7, 128), slightly_more(direct));

  const double fft = 8 * u + 6 * g;
  const double e = 2 * fft + g + (0.7072 + std::sqrt(5.0)) * u;
  const double chirp = std::sqrt(199.0) * (e + fft * std::sqrt(2.56)) + g;
  EXPECT_GE(truth::bluestein_radius(100, 256, 128), chirp * (1 - 0x1p-50));
  EXPECT_LE(truth::bluestein_radius(100, 256, 128), slightly_more(chirp));
}

TEST(Radius, BitsAreTheFloorOfTheLogarithm) {
  EXPECT_EQ(truth::bits_of_radius(0x1p-106), 106);
  EXPECT_EQ(truth::bits_of_radius(0x1.0000001p-106), 105);
  EXPECT_EQ(truth::bits_of_radius(0.75), 0);
  EXPECT_EQ(truth::bits_of_radius(3), 0);
  EXPECT_EQ(truth::bits_of_radius(0), truth::exact_bits);
}

}  // namespace
}  // namespace fftprec::testing

/// How a truth in double-double is certified, chosen or refused, and that it agrees with MPFR's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/certify.hpp"
#include "arith/truth/transforms.hpp"
#include "tests/support/error_text.hpp"
#include "tests/truth/transform_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::Tier;

const truth::TruthOptions in_mpfr{.tier = Tier::mpfr};
const truth::TruthOptions in_pairs{.tier = Tier::double_double};
/// Whatever it certifies, if anything.
const truth::TruthOptions in_pairs_whatever{.tier = Tier::double_double, .needed_bits = -2000};

/// Items of two elements, given as pairs with an error.
truth::Evaluation given_pairs(const truth::PairChain& chain) {
  return {"given", chain.items(), 2,
          [](const truth::MpfrBench& bench, std::size_t) {
            return truth::exact_values(ComplexArray<double>(2), 0, 2, bench.precision);
          },
          [&chain](const truth::PairBench&, std::size_t, std::size_t) { return chain; }};
}

truth::PairChain pairs_of(double first, double second, double error, int scale = 0) {
  truth::PairChain chain{truth::ComplexPairs(2), {truth::Bound(error)}, {scale}};
  chain.values.hi.re[0] = first;
  chain.values.hi.im[1] = second;
  return chain;
}

TEST(CertifyPairs, TheRadiusIsTheErrorOverTheNormOfTheWorstItem) {
  truth::PairChain chain{
      truth::ComplexPairs(4), {truth::Bound(0x1p-90), truth::Bound(0x1p-98)}, {7, -20}};
  chain.values.hi.re = {3, 0, 0, 0x1p-9};
  chain.values.hi.im = {0, 4, 0, 0};
  chain.values.lo.im = {0, 0x1p-60, 0, 0};

  const truth::Truth truth = truth::certify(given_pairs(chain), in_pairs);

  EXPECT_NEAR(truth.radius_rel * 0x1p+89, 1, 0x1p-18);  // the second item's
  EXPECT_GE(truth.radius_rel, 0x1p-89);
  EXPECT_EQ(truth.bits, 88);
  EXPECT_EQ(truth.hi.im[1], 0x1p+9);
  EXPECT_EQ(truth.lo.im[1], 0x1p-53);
  EXPECT_EQ(truth.hi.re[3], 0x1p-29);
  EXPECT_EQ(truth.element_radius[0], 0x1p-83);
  EXPECT_GE(truth.element_radius[1], 0x1p-118);
  EXPECT_LE(truth.element_radius[1], 0x1.00001p-118);
  EXPECT_EQ(truth.method, "double-double given");
}

TEST(CertifyPairs, PartsThatTheErrorHidesAreZeroAndCharged) {
  const double error = 0x1p-80;
  const auto certified = [&](double second, const truth::TruthOptions& options) {
    return truth::certify(given_pairs(pairs_of(1, second, error)), options);
  };

  const truth::Truth dropped = certified(error, in_pairs);
  const truth::Truth kept = certified(error * (1 + 0x1p-52), in_pairs);

  EXPECT_EQ(dropped.hi.im[1], 0);
  EXPECT_NEAR(dropped.radius_rel / (2 * error), 1, 0x1p-18);
  EXPECT_NEAR(dropped.element_radius[0] / ((1 + std::sqrt(2.0)) * error), 1, 0x1p-18);
  EXPECT_EQ(kept.hi.im[1], error * (1 + 0x1p-52));
  EXPECT_EQ(kept.element_radius[0], error);
}

/// What the stand-in gives in MPFR is zero, so the tier shows.
TEST(CertifyPairs, AreChosenWhereTheyReachTheBitsAndNoPartIsNearItsRadius) {
  const auto tier = [](double second, double error, int needed) {
    return truth::certify(given_pairs(pairs_of(1, second, error)), {.needed_bits = needed}).tier;
  };
  EXPECT_EQ(tier(1, 0x1p-64, 64), Tier::double_double);
  EXPECT_EQ(tier(1, 0x1p-64, 65), Tier::mpfr);  // the norm is sqrt(2)
  EXPECT_EQ(tier(0, 0x1p-65, 64), Tier::double_double);
  EXPECT_EQ(tier(0, 0x1p-63, 64), Tier::mpfr);
  EXPECT_EQ(tier(0x1p-70, 0x1p-80, 64), Tier::double_double);
  EXPECT_EQ(tier(0x1p-70, 0x1.0001p-80, 64), Tier::mpfr);
  EXPECT_EQ(tier(0x1p-79, 0x1p-80, 64), Tier::mpfr);
  EXPECT_EQ(tier(0x1p-80, 0x1p-80, 64), Tier::double_double);  // stored as zero
}

TEST(CertifyPairs, OneItemNearItsRadiusSendsAllToMpfr) {
  for (const std::size_t near : {0u, 1u}) {
    truth::PairChain chain{
        truth::ComplexPairs(4), {truth::Bound(0x1p-80), truth::Bound(0x1p-80)}, {0, 0}};
    chain.values.hi.re = {1, 1, 1, 1};
    EXPECT_EQ(truth::certify(given_pairs(chain), {}).tier, Tier::double_double);
    chain.values.hi.im[2 * near] = 0x1p-75;
    EXPECT_EQ(truth::certify(given_pairs(chain), {}).tier, Tier::mpfr);
  }
}

TEST(CertifyPairs, AreRefusedWhereTheyAreAskedForAndDoNotReachTheBits) {
  const auto text = [](const truth::Evaluation& evaluation, int needed) {
    return error_text(
        [&] { truth::certify(evaluation, {.tier = Tier::double_double, .needed_bits = needed}); });
  };
  const auto chain = pairs_of(1, 0x1p-79, 0x1p-80);
  EXPECT_EQ(text(given_pairs(chain), 79), "no error");  // near its radius or not
  EXPECT_NE(text(given_pairs(chain), 81)
                .find("truth: double-double certifies 79 bits of given, not the 81 needed"),
            std::string::npos);
  truth::Evaluation only_mpfr = given_pairs(chain);
  only_mpfr.evaluate_pairs = nullptr;
  EXPECT_NE(text(only_mpfr, 1).find("truth: given has no way in double-double"), std::string::npos);
  EXPECT_EQ(truth::certify(only_mpfr, {}).tier, Tier::mpfr);
}

TEST(CertifyPairs, ScalingDownIntoSubnormalsIsCharged) {
  truth::PairChain chain = pairs_of(0.75, 0.5, 0, -1000);
  chain.values.lo.re[0] = 0x1.8p-80;
  const truth::Truth truth = truth::certify(given_pairs(chain), in_pairs_whatever);
  EXPECT_EQ(truth.lo.re[0], 0);
  EXPECT_GE(truth.radius_rel * 0.9, 0x1.8p-80);
  EXPECT_LE(truth.radius_rel, 0x1p-70);
  EXPECT_GE(truth.element_radius[0], std::ldexp(0x1.8p-80, -1000));

  chain = pairs_of(0x1.8p-1, 0x1.000001p-1, 0, -1060);
  const truth::Truth coarse = truth::certify(given_pairs(chain), in_pairs_whatever);
  EXPECT_EQ(coarse.hi.re[0], 0x1.8p-1061);
  EXPECT_EQ(coarse.hi.im[1], 0x1p-1061);
  EXPECT_GE(coarse.radius_rel, 0x1p-24);

  chain = pairs_of(0.5, 0, 0, -1200);
  EXPECT_EQ(truth::certify(given_pairs(chain), in_pairs_whatever).radius_rel,
            std::numeric_limits<double>::infinity());
}

TEST(CertifyPairs, ResultsBeyondDoubleAreAnInputErrorAndScalesBeyondItAreLeftToMpfr) {
  EXPECT_EQ(truth::certify(given_pairs(pairs_of(0.75, 0, 0, 1024)), in_pairs).hi.re[0],
            0x1.8p+1023);
  EXPECT_THROW(truth::certify(given_pairs(pairs_of(1, 0, 0, 1024)), in_pairs), InputError);
  EXPECT_THROW(truth::certify(given_pairs(pairs_of(1, 0, 0, 2001)), in_pairs), InputError);
  EXPECT_EQ(truth::certify(given_pairs(pairs_of(1, 0, 0, 2001)), {}).tier, Tier::mpfr);
}

TEST(CertifyPairs, ManyItemsGoInSeveralPortions) {
  const std::size_t items = (std::size_t{1} << 20) / 64 + 3;
  std::vector<std::pair<std::size_t, std::size_t>> calls;
  const truth::Evaluation evaluation{
      "count", items, 64,
      [](const truth::MpfrBench& bench, std::size_t) {
        return truth::exact_values(ComplexArray<double>(64), 0, 64, bench.precision);
      },
      [&calls](const truth::PairBench& bench, std::size_t first, std::size_t count) {
        calls.emplace_back(first, count);
        ComplexArray<double> x(64 * count);
        for (std::size_t i = 0; i < count; ++i) x.re[64 * i] = static_cast<double>(first + i + 1);
        return truth::exact_values(bench, x, 0, 64, count);
      }};

  const truth::Truth truth = truth::certify(evaluation, {});

  EXPECT_EQ(calls,
            (std::vector<std::pair<std::size_t, std::size_t>>{{0, items - 3}, {items - 3, 3}}));
  for (std::size_t item = 0; item < items; ++item)
    ASSERT_EQ(truth.hi.re[64 * item], static_cast<double>(item + 1));
  EXPECT_EQ(truth.radius_rel, 0);
}

/// Whatever the tier leaves of rounding where a spectrum vanishes, zero is stored.
TEST(Tiers, SpectraThatVanishAreZeroInBoth) {
  const std::size_t n = 48;
  const Sizes sizes{4, 12};
  ComplexArray<double> impulse(n);
  impulse.re[0] = 3;
  ComplexArray<double> constant(n);
  ComplexArray<double> tone(n);
  for (std::size_t j = 0; j < n; ++j) {
    constant.re[j] = 1.0 / 3;
    tone.re[j] = j % 4 == 0 ? 1 : j % 4 == 2 ? -1 : 0;  // exp(2 pi i j/4)
    tone.im[j] = j % 4 == 1 ? 1 : j % 4 == 3 ? -1 : 0;
  }
  for (const ComplexArray<double>* x : {&impulse, &constant, &tone})
    for (const bool one_axis : {true, false}) {
      const Sizes shape = one_axis ? Sizes{n} : sizes;
      const truth::Truth mpfr = truth::dft_nd(*x, shape, Direction::forward, in_mpfr);
      const truth::Truth pairs = truth::dft_nd(*x, shape, Direction::forward);
      EXPECT_EQ(pairs.tier, Tier::double_double);
      std::size_t zeros = 0;
      for (std::size_t k = 0; k < n; ++k) {
        EXPECT_EQ(mpfr.hi.re[k] == 0, pairs.hi.re[k] == 0) << k;
        EXPECT_EQ(mpfr.hi.im[k] == 0, pairs.hi.im[k] == 0) << k;
        for (const truth::Truth* truth : {&mpfr, &pairs}) {
          EXPECT_TRUE(truth->hi.re[k] != 0 || truth->lo.re[k] == 0) << k;
          EXPECT_TRUE(truth->hi.im[k] != 0 || truth->lo.im[k] == 0) << k;
        }
        zeros += (mpfr.hi.re[k] == 0) + (mpfr.hi.im[k] == 0);
      }
      EXPECT_GE(zeros, n);
      expect_honest(mpfr, dft_nd_by_definition(*x, shape, Direction::forward));
      expect_honest(pairs, dft_nd_by_definition(*x, shape, Direction::forward));
    }
}

TEST(Tiers, AgreeWithinTheirRadii) {
  for (const std::size_t n : {16u, 64u, 60u, 101u, 128u, 1024u, 1536u, 2053u}) {
    const auto x = stress_input(Stress::gaussian, 2 * n, n);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      const truth::Truth mpfr = truth::dft(x, n, direction, in_mpfr);
      const truth::Truth pairs = truth::dft(x, n, direction, in_pairs);
      for (std::size_t i = 0; i < 2 * n; ++i) {
        const double allowed = mpfr.element_radius[i / n] + pairs.element_radius[i / n];
        const auto difference = [i](const auto& a, const auto& b, auto part) {
          return std::fabs(((a.hi.*part)[i] - (b.hi.*part)[i]) +
                           ((a.lo.*part)[i] - (b.lo.*part)[i]));
        };
        EXPECT_LE(difference(mpfr, pairs, &ComplexArray<double>::re), allowed) << n << ' ' << i;
        EXPECT_LE(difference(mpfr, pairs, &ComplexArray<double>::im), allowed) << n << ' ' << i;
      }
      EXPECT_GE(pairs.bits, 64);
    }
  }
}

/// Items of 2^-1074, 2^-1000, 1 and 2^1000 side by side, with parts 2^1900 apart in the last.
TEST(Tiers, ItemsOfVeryDifferentSizeKeepTheirOwnRadius) {
  for (const std::size_t n : {8u, 12u, 37u}) {
    ComplexArray<double> x(5 * n);
    const Stress kinds[] = {Stress::subnormal, Stress::tiny, Stress::gaussian, Stress::huge};
    for (std::size_t item = 0; item < 4; ++item) {
      const auto one = stress_input(kinds[item], n, item);
      std::copy(one.re.begin(), one.re.end(), x.re.begin() + static_cast<long>(item * n));
      std::copy(one.im.begin(), one.im.end(), x.im.begin() + static_cast<long>(item * n));
    }
    for (std::size_t j = 0; j < n; ++j) x.re[4 * n + j] = j % 2 == 0 ? 1e300 : 1e-300;
    x.im[4 * n] = std::numeric_limits<double>::denorm_min();
    const Exact exact = by_definition(x, n, Direction::forward);

    const truth::Truth pairs = truth::dft(x, n, Direction::forward, in_pairs_whatever);

    expect_honest(pairs, exact);
    expect_honest(truth::dft(x, n, Direction::forward), exact);
    EXPECT_LE(pairs.element_radius[1], 0x1p-1050);
    EXPECT_LE(pairs.element_radius[2], 0x1p-85);
    EXPECT_GE(pairs.element_radius[3], 0x1p+890);
  }
}

TEST(Tiers, ThreadsAndInstructionSetsDoNotMatter) {
  const auto x = stress_input(Stress::gaussian, 3 * 96, 8);
  const truth::Truth expected = truth::dft(x, 96, Direction::inverse, in_pairs);
  for (const Isa isa : available_isas())
    for (const unsigned threads : {1u, 3u}) {
      const truth::Truth truth = truth::dft(
          x, 96, Direction::inverse, {.tier = Tier::double_double, .threads = threads, .isa = isa});
      EXPECT_EQ(truth.hi, expected.hi) << name_of(isa);
      EXPECT_EQ(truth.lo, expected.lo) << name_of(isa);
      EXPECT_EQ(truth.radius_rel, expected.radius_rel) << name_of(isa);
      EXPECT_EQ(truth.element_radius, expected.element_radius) << name_of(isa);
    }
}

}  // namespace
}  // namespace fftprec::testing

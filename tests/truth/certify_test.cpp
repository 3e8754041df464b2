/// How a truth is certified: precision, storage, radius, item by item, in both tiers.
#include "arith/truth/certify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/transforms.hpp"
#include "tests/support/error_text.hpp"
#include "tests/truth/judge.hpp"

namespace fftprec::testing {
namespace {

using truth::Tier;

/// Items of one element, 1, with an error of item_error 2^-precision; keeps the precisions asked
/// for.
struct Recorder {
  std::vector<double> item_errors;
  std::vector<std::pair<std::size_t, mpfr_prec_t>> calls{};

  truth::Truth certified(int precision_bits) {
    return truth::certify({"record", item_errors.size(), 1,
                           [this](const truth::MpfrBench& bench, std::size_t item) {
                             calls.emplace_back(item, bench.precision);
                             ComplexArray<double> one(1);
                             one.re[0] = 1;
                             truth::Chain chain = truth::exact_values(one, 0, 1, bench.precision);
                             chain.error = truth::Bound(item_errors[item]) *
                                           truth::unit_roundoff(bench.precision);
                             return chain;
                           }},
                          {.tier = truth::Tier::mpfr, .precision_bits = precision_bits});
  }
};

TEST(Certify, EachItemStartsAtThePrecisionAskedFor) {
  Recorder recorder{{0x1p+18, 0x1p+19, 0x1p+100, 1}};

  const truth::Truth truth = recorder.certified(128);

  const std::vector<std::pair<std::size_t, mpfr_prec_t>> expected{{0, 128}, {1, 128}, {1, 160},
                                                                  {2, 128}, {2, 224}, {3, 128}};
  EXPECT_EQ(recorder.calls, expected);
  EXPECT_EQ(truth.method, "mpfr record, 224 bits");
  EXPECT_EQ(truth.radius_rel, 0x1p-110);  // the first item's, neither the last nor the sum
  EXPECT_EQ(truth.bits, 110);
}

TEST(Certify, AnExactItemAsksForNothingMore) {
  Recorder recorder{{0}};

  EXPECT_EQ(recorder.certified(60).bits, truth::exact_bits);
  EXPECT_EQ(recorder.calls.size(), 1u);
}

TEST(Certify, PartsThatTheErrorHidesAreZeroAndCharged) {
  const auto certified = [](double small) {
    return truth::certify({"given", 1, 2,
                           [small](const truth::MpfrBench& bench, std::size_t) {
                             ComplexArray<double> x(2);
                             x.re = {1, 0};
                             x.im = {0, small};
                             truth::Chain chain = truth::exact_values(x, 0, 2, bench.precision);
                             chain.error = truth::Bound(0x1p-115);
                             return chain;
                           }},
                          in_mpfr);
  };

  const truth::Truth dropped = certified(-0x1p-115);
  const truth::Truth kept = certified(0x1.00001p-115);

  EXPECT_EQ(dropped.hi.im[1], 0);
  EXPECT_NEAR(dropped.radius_rel * 0x1p+115, 2, 0x1p-40);
  EXPECT_NEAR(dropped.element_radius[0] * 0x1p+115, 1 + std::sqrt(2.0), 0x1p-40);
  EXPECT_EQ(kept.hi.im[1], 0x1.00001p-115);
  EXPECT_EQ(kept.element_radius[0], 0x1p-115);
}

/// A small result beside large inputs: the pair of doubles decides all the same.
TEST(Certify, CancellationRaisesThePrecisionUntilThePairDecides) {
  const std::size_t n = 8;
  ComplexArray<double> half(5);
  half.im[0] = 0x1p+200;  // does not count, and yet nothing of it may stay
  half.re = {0x1p+60, 0x1p-100, 0, 0, 0x1p+60};
  const Sizes sizes{2, n};
  ComplexArray<double> x(10);
  for (std::size_t k = 0; k < 5; ++k) {
    x.re[k] = half.re[k];
    x.re[5 + k] = -half.re[k];
  }
  x.re[1] = 0x1p-100;
  x.re[6] = 0x1p-101;

  const truth::Truth truth = truth::irfft_nd(x, sizes, in_mpfr);

  expect_honest(truth, irfft_nd_by_definition(x, sizes));
  EXPECT_LE(truth.radius_rel, 0x1.1p-106);
}

TEST(Certify, ItemsHaveTheirOwnPrecisionAndDoNotMeetEachOther) {
  const auto x = real_input(Stress::gaussian, 3 * 24, 9);
  for (const Tier tier : {Tier::mpfr, Tier::double_double}) {
    const truth::Truth all = truth::dct2(x, 24, {.tier = tier});
    for (std::size_t item = 0; item < 3; ++item) {
      const truth::Truth alone = truth::dct2(part_of(x, item * 24, 24), 24, {.tier = tier});
      EXPECT_EQ(part_of(all.hi, item * 24, 24), alone.hi);
      EXPECT_EQ(part_of(all.lo, item * 24, 24), alone.lo);
      EXPECT_EQ(all.element_radius[item], alone.element_radius[0]);
    }
  }
}

TEST(Certify, ZeroIsExactAndUnderflowIsInfinite) {
  for (const Tier tier : {Tier::mpfr, Tier::double_double}) {
    const truth::Truth zero = truth::dct3(ComplexArray<double>(20), 10, {.tier = tier});
    EXPECT_EQ(zero.radius_rel, 0);
    EXPECT_EQ(zero.bits, truth::exact_bits);
    EXPECT_EQ(zero.hi, ComplexArray<double>(20));
    EXPECT_EQ(zero.lo, ComplexArray<double>(20));
    EXPECT_EQ(zero.element_radius, (std::vector<double>{0, 0}));
  }
  EXPECT_EQ(truth::dct3(ComplexArray<double>(20), 10, in_mpfr).method,
            "mpfr dct through a dft of twice the length, 128 bits");

  ComplexArray<double> tiny(5);
  tiny.re[1] = std::numeric_limits<double>::denorm_min();
  const std::size_t shape[] = {8};
  const truth::Truth lost = truth::irfft_nd(tiny, shape);
  EXPECT_EQ(lost.radius_rel, std::numeric_limits<double>::infinity());
  EXPECT_EQ(lost.bits, 0);
}

/// Three equal imaginary numbers have an imaginary transform, which does not count: what is left is
/// zero, but the roots were rounded, so nothing shows it.
TEST(Certify, AZeroThatIsNotKnownToBeExactHasAnInfiniteRadius) {
  ComplexArray<double> x(3);
  x.im = {1, 1, 1};
  const std::size_t shape[] = {3, 1};

  const truth::Truth truth = truth::irfft_nd(x, shape);

  EXPECT_EQ(truth.radius_rel, std::numeric_limits<double>::infinity());
  EXPECT_EQ(truth.bits, 0);
  EXPECT_EQ(truth.method, "mpfr inverse real dft by axes, 960 bits");
}

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

TEST(Certify, IntegersOfGmpAreForProductsAlone) {
  const truth::Evaluation evaluation = given_pairs(pairs_of(1, 0, 0));

  EXPECT_EQ(error_text([&] { truth::certify(evaluation, {.tier = Tier::gmp}); }),
            "truth: given has no way in gmp, which computes products of integers alone");
  EXPECT_EQ(error_text([] {
              truth::dft(ComplexArray<double>(4), 4, Direction::forward, {.tier = Tier::gmp});
            }),
            "truth: dft by axes has no way in gmp, which computes products of integers alone");
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

TEST(Tiers, MpfrIsTakenWherePairsCertifyTooLittle) {
  const ComplexArray<double> x = stress_input(Stress::gaussian, 1024, 3);
  const auto truth_for = [&x](int bits) {
    return truth::dft(x, 1024, Direction::forward, {.needed_bits = bits});
  };
  EXPECT_EQ(truth_for(64).tier, Tier::double_double);
  EXPECT_EQ(truth_for(98).tier, Tier::double_double);
  EXPECT_EQ(truth_for(98).method, "double-double dft by axes, probed");
  for (const int bits : {99, 105, 200}) {
    EXPECT_EQ(truth_for(bits).tier, Tier::mpfr) << bits;
    EXPECT_GE(truth_for(bits).bits, 105) << bits;
  }
}

TEST(Tiers, MakeWhatALengthNeedsOnce) {
  const truth::TruthOptions options;
  for (const unsigned seed : {1u, 2u, 3u})
    truth::dft(stress_input(Stress::gaussian, 1024, seed), 1024, Direction::forward, options);
  EXPECT_EQ(options.plans->made(), 2u) << "a transform and its audit";
}

/// As many lengths as are kept put an earlier plan out, if they are made where it is kept.
TEST(Tiers, CopiesOfOptionsShareTheirPlans) {
  const truth::TruthOptions options;
  const auto pairs = options.plans->in_pairs(64);
  const auto audit = options.plans->audit(64, 1, 64);
  const auto mpfr = options.plans->in_mpfr(64, 128);
  const auto transform_with = [](truth::TruthOptions copy, std::size_t lengths) {
    for (const Tier tier : {Tier::double_double, Tier::mpfr}) {
      copy.tier = tier;
      for (std::size_t n = 2; n < 2 + lengths; ++n)
        truth::dft(stress_input(Stress::gaussian, n, 3), n, Direction::forward, copy);
    }
  };
  transform_with(options, 3);
  EXPECT_EQ(options.plans->in_pairs(64), pairs);
  EXPECT_EQ(options.plans->audit(64, 1, 64), audit);
  EXPECT_EQ(options.plans->in_mpfr(64, 128), mpfr);
  transform_with({}, 32);
  EXPECT_EQ(options.plans->in_pairs(64), pairs);
  EXPECT_EQ(options.plans->audit(64, 1, 64), audit);
  EXPECT_EQ(options.plans->in_mpfr(64, 128), mpfr);
  transform_with(options, 32);
  EXPECT_NE(options.plans->in_pairs(64), pairs);
  EXPECT_NE(options.plans->audit(64, 1, 64), audit);
  EXPECT_NE(options.plans->in_mpfr(64, 128), mpfr);
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

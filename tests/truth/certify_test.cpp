/// How a truth is certified: precision, storage, radius, item by item.
#include "arith/truth/certify.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/transforms.hpp"
#include "tests/truth/transform_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::Tier;

const truth::TruthOptions in_mpfr{.tier = Tier::mpfr};

ComplexArray<double> real_input(std::size_t size, std::uint64_t seed) {
  ComplexArray<double> x = stress_input(Stress::gaussian, size, seed);
  for (double& part : x.im) part = 0;
  return x;
}

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
  const auto x = real_input(3 * 24, 9);
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

}  // namespace
}  // namespace fftprec::testing

/// Stochastic rounding: the generator against published vectors, the rounding against its
/// definition in MPFR.
#include <cmath>
#include <random>

#include "arith/formats/round.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {
namespace {

TEST(Philox, GivesThePublishedVectors) {
  // Random123 1.09, tests/kat_vectors, philox4x32 10.
  EXPECT_EQ(philox({{0, 0, 0, 0}}, {{0, 0}}),
            (PhiloxCounter{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({{ones, ones, ones, ones}}, {{ones, ones}}),
            (PhiloxCounter{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}));
  EXPECT_EQ(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}}),
            (PhiloxCounter{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}));
}

TEST(RandomBits, DependOnSeedStreamAndCounterAndFillTheLeadingPlaces) {
  const std::uint64_t word = random_bits({.bits = 53, .seed = 1}, 2);
  EXPECT_EQ(word & ((1u << 11) - 1), 0u);
  EXPECT_NE(word, random_bits({.bits = 53, .seed = 2}, 2));
  EXPECT_NE(word, random_bits({.bits = 53, .seed = 1, .stream = 1}, 2));
  EXPECT_NE(word, random_bits({.bits = 53, .seed = 1}, 3));
  EXPECT_NE(word, random_bits({.bits = 53, .seed = 1}, 2 + (std::uint64_t{1} << 32)));
  EXPECT_EQ(random_bits({.bits = 8, .seed = 1}, 2), word & ~((std::uint64_t{1} << 56) - 1));
}

/// IEEE P3109's definitions: |x| in units of the last kept place, of which 2^N parts and r random
/// ones are compared with one unit; a takes whole parts, b halves of them and half a random one, c
/// the nearest number of parts.
double truth(double x, const Format& format, Stochastic variant, int bits, std::uint64_t random) {
  if (x == 0) return x;
  const int exponent = std::ilogb(x);
  const int place = exponent >= format.emin ? exponent - format.precision + 1
                    : format.subnormals     ? quantum_exponent(format)
                                            : format.emin;
  Wide sum(2200, std::fabs(x));
  mpfr_mul_2si(sum.get(), sum.get(), -place, MPFR_RNDN);
  const int parts = variant == Stochastic::b ? bits + 1 : bits;
  std::uint64_t drawn = random >> (64 - bits);
  if (variant == Stochastic::b) drawn = 2 * drawn + 1;
  mpfr_mul_2si(sum.get(), sum.get(), parts, MPFR_RNDN);
  if (variant == Stochastic::c)
    mpfr_rint_roundeven(sum.get(), sum.get(), MPFR_RNDN);
  else
    mpfr_rint_trunc(sum.get(), sum.get(), MPFR_RNDN);
  mpfr_add_ui(sum.get(), sum.get(), drawn, MPFR_RNDN);
  mpfr_mul_2si(sum.get(), sum.get(), -parts, MPFR_RNDN);
  mpfr_rint_trunc(sum.get(), sum.get(), MPFR_RNDN);
  mpfr_mul_2si(sum.get(), sum.get(), place, MPFR_RNDN);
  double result = mpfr_get_d(sum.get(), MPFR_RNDN);
  if (result > max_finite(format))
    result = format.overflow == Overflow::infinity   ? std::numeric_limits<double>::infinity()
             : format.overflow == Overflow::saturate ? max_finite(format)
                                                     : std::numeric_limits<double>::quiet_NaN();
  return std::copysign(result, x);
}

TEST(RoundStochastic, AddsTheRandomBitsBelowTheLastKeptPlaceAndTruncates) {
  std::mt19937_64 random(1);
  for (const Format& format :
       {bf16, fp16, fp8_e4m3, fp8_e4m3fn, fp32, Format{5, -14, 15, false, Overflow::saturate},
        Format{50, -1022, 1023, false}, Format{3, -1022, 1000}, Format{2, -1, 1}})
    for (const int bits : {1, 2, 8, 23, 32, 52, 53})
      for (int i = 0; i < 1000; ++i) {
        const int lowest = std::max(-1074, quantum_exponent(format) - 60);
        const int span = std::min(1023, format.emax + 2) - lowest;
        const int exponent = lowest + static_cast<int>(random() % static_cast<unsigned>(span));
        // Every third one has few digits, so that parts are halves at times.
        const int cut = i % 3 == 0 ? 53 - static_cast<int>(random() % 12) : 0;
        const double noise = std::ldexp(static_cast<double>((random() >> 11) >> cut << cut), -53);
        const double x = std::ldexp(i % 2 == 0 ? 1 + noise : -1 - noise, exponent);
        const auto counter = static_cast<std::uint64_t>(i);

        for (const Stochastic variant : {Stochastic::a, Stochastic::b, Stochastic::c}) {
          if (variant != Stochastic::a && bits == 53) continue;
          const StochasticRounding stochastic{.bits = bits, .seed = 7, .variant = variant};
          EXPECT_TRUE(same_value(round_stochastic(x, format, stochastic, counter),
                                 truth(x, format, variant, bits, random_bits(stochastic, counter))))
              << to_string(format) << " variant " << static_cast<int>(variant) << ", " << bits
              << " bits, counter " << i << ", of " << show(x);
        }
      }
}

/// 2^10 parts of a unit: a half and a little more are the next part, though far below all bits
/// kept.
TEST(RoundStochastic, SeesWhatIsFarBelowTheSmallestValue) {
  const RoundingGrid<double> grid = rounding_grid<double>(fp16);
  const double half_part = 0x1p-24 * 0x1p-11;
  const std::uint64_t all_ones = ~(std::uint64_t{1} << 53);  // R = 1023 of 10 bits, variant c
  EXPECT_EQ(round_with_bits(half_part, grid, all_ones), 0);
  EXPECT_EQ(round_with_bits(half_part * (1 + 0x1p-50), grid, all_ones), 0x1p-24);
}

TEST(RoundStochastic, LeavesValuesZerosNansAndInfinitiesOfTheFormat) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const StochasticRounding stochastic{.bits = 53, .seed = 3};
    for (const double x : {1.5, -0x1p-9, 240.0, 0.0, -0.0})
      EXPECT_TRUE(same_value(round_stochastic(x, fp8_e4m3, stochastic, i), x));
    EXPECT_TRUE(std::isnan(round_stochastic(NAN, fp8_e4m3, stochastic, i)));
    EXPECT_TRUE(same_value(round_stochastic(-INFINITY, fp8_e4m3, stochastic, i), -INFINITY));
    EXPECT_TRUE(std::isnan(round_stochastic(INFINITY, fp8_e4m3fn, stochastic, i)));
    EXPECT_TRUE(same_value(round_stochastic(0.1, fp64, stochastic, i), 0.1));
  }
}

}  // namespace
}  // namespace fftprec::testing

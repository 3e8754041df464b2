/// The fp32 elementary functions against MPFR with the target's precision: its one rounding is the
/// answer.
#include "arith/truth/elementary.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "arith/support/error.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {
namespace {

using MpfrFunction = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

/// The function at x by MPFR, rounded once to fp32 also where the result is subnormal.
double judge(MpfrFunction function, float x) {
  const Wide argument(24, static_cast<double>(x));
  Wide result(fp32.precision);
  const int ternary = function(result.get(), argument.get(), MPFR_RNDN);
  const MpfrRange range(fp32.emin - fp32.precision + 2, fp32.emax + 1);
  mpfr_subnormalize(result.get(), mpfr_check_range(result.get(), ternary, MPFR_RNDN), MPFR_RNDN);
  return mpfr_get_d(result.get(), MPFR_RNDN);
}

float sin_rounded(float x) { return truth::sin_cos_rounded(x).sin; }
float cos_rounded(float x) { return truth::sin_cos_rounded(x).cos; }

/// Passes if all functions are right at x.
::testing::AssertionResult all_right(float x) {
  struct {
    const char* name;
    float (*subject)(float);
    MpfrFunction truth;
  } const functions[] = {{"sin", sin_rounded, mpfr_sin},
                         {"cos", cos_rounded, mpfr_cos},
                         {"log", truth::log_rounded, mpfr_log},
                         {"exp", truth::exp_rounded, mpfr_exp}};
  for (const auto& [name, subject, truth] : functions) {
    const auto found = same_value(static_cast<double>(subject(x)), judge(truth, x));
    if (!found)
      return ::testing::AssertionFailure()
             << name << " at " << show(static_cast<double>(x)) << ": " << found.message();
  }
  return ::testing::AssertionSuccess();
}

float float_of(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

TEST(Elementary, IsCorrectlyRoundedOverAllBitPatterns) {
  std::mt19937_64 generator(1);
  for (int i = 0; i < 15000; ++i) ASSERT_TRUE(all_right(float_of(generator()))) << "seed 1";
}

TEST(Elementary, IsCorrectlyRoundedAtAnglesOfADftMatrix) {
  const float two_pi = 0x1.921fb6p+2F;
  for (std::uint32_t e = 0; e < 1024 * 1024; e += 97) {
    const float angle = two_pi * static_cast<float>(e) / 1024;
    ASSERT_TRUE(all_right(angle)) << "e = " << e;
  }
}

TEST(Elementary, IsCorrectlyRoundedNearMultiplesOfHalfPi) {
  for (int k = 1; k < 90000; k += 31) {
    const auto multiple = static_cast<float>(k * 1.5707963267948966);
    for (const float x : {std::nextafter(multiple, 0.0F), multiple, std::nextafter(multiple, 1e9F)})
      ASSERT_TRUE(all_right(x)) << "k = " << k;
  }
}

TEST(Elementary, IsCorrectlyRoundedNextToOneAndAtUniformsOfTheGenerators) {
  std::mt19937_64 generator(2);
  for (int i = 0; i < 20000; ++i)
    ASSERT_TRUE(all_right(static_cast<float>(generator() >> 40) * 0x1p-24F));
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(all_right(1 - static_cast<float>(i) * 0x1p-24F));
    ASSERT_TRUE(all_right(1 + static_cast<float>(i) * 0x1p-23F));
  }
}

TEST(Elementary, IsCorrectlyRoundedWhereTheFastPathCannotTell) {
  // cos(2^-12) = 1 - 2^-25 + ...: a midpoint of two floats to 50 bits, as at other tiny arguments.
  for (int exponent = -30; exponent <= -8; ++exponent)
    for (const float x : {std::ldexp(1.0F, exponent), std::ldexp(-1.5F, exponent),
                          std::nextafter(std::ldexp(1.0F, exponent), 1.0F)})
      EXPECT_TRUE(all_right(x));
  // All floats for which a double evaluation alone gives the wrong neighbour.
  for (const float x : {0x1.33333p+13F, 0x1.827a74p-7F, 0x1.2f1fd6p+3F, 0x1.bacb4ap+25F,
                        0x1.b121a6p+76F, 0x1.6351d8p+95F})
    EXPECT_TRUE(all_right(x));
  EXPECT_TRUE(all_right(0x1p17F));
  EXPECT_TRUE(all_right(std::nextafter(0x1p17F, 1e9F)));
  EXPECT_TRUE(all_right(std::numeric_limits<float>::max()));
}

TEST(Elementary, ExponentialIsCorrectlyRoundedIntoTheSubnormals) {
  for (float x = -104.5F; x < -86; x += 0.00371F) ASSERT_TRUE(all_right(x));
  for (float x = 88; x < 89.5F; x += 0.00371F) ASSERT_TRUE(all_right(x));
}

TEST(Elementary, SpecialValuesFollowTheirLimits) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float x : {0.0F, -0.0F, infinity, -infinity, nan, -1.0F}) EXPECT_TRUE(all_right(x));
  EXPECT_TRUE(all_right(std::numeric_limits<float>::denorm_min()));
  EXPECT_TRUE(all_right(-std::numeric_limits<float>::denorm_min()));
}

using Arrays = std::vector<std::vector<float>>;

/// sin, cos, log and exp of every element.
Arrays by_arrays(const std::vector<float>& x, Isa isa) {
  Arrays results(4, std::vector<float>(x.size()));
  truth::sin_cos_rounded(x, results[0], results[1], isa);
  truth::log_rounded(x, results[2], isa);
  truth::exp_rounded(x, results[3], isa);
  return results;
}

Arrays one_by_one(const std::vector<float>& x) {
  Arrays results(4);
  for (const float value : x) {
    results[0].push_back(sin_rounded(value));
    results[1].push_back(cos_rounded(value));
    results[2].push_back(truth::log_rounded(value));
    results[3].push_back(truth::exp_rounded(value));
  }
  return results;
}

/// Passes if arrays of every instruction set give the bits of single calls.
::testing::AssertionResult arrays_equal_singles(const std::vector<float>& x) {
  const char* const names[] = {"sin", "cos", "log", "exp"};
  const Arrays expected = one_by_one(x);
  for (const Isa isa : available_isas()) {
    const Arrays actual = by_arrays(x, isa);
    for (std::size_t f = 0; f < expected.size(); ++f)
      for (std::size_t i = 0; i < x.size(); ++i)
        if (std::bit_cast<std::uint32_t>(actual[f][i]) !=
            std::bit_cast<std::uint32_t>(expected[f][i]))
          return ::testing::AssertionFailure()
                 << name_of(isa) << ": " << names[f] << " at " << show(static_cast<double>(x[i]))
                 << ", element " << i << " of " << x.size() << ": "
                 << show(static_cast<double>(actual[f][i])) << ", alone "
                 << show(static_cast<double>(expected[f][i]));
  }
  return ::testing::AssertionSuccess();
}

TEST(ElementaryArrays, EqualSingleCallsOverAllBitPatterns) {
  std::mt19937_64 generator(3);
  std::vector<float> x(10007);
  for (float& value : x) value = float_of(generator());
  EXPECT_TRUE(arrays_equal_singles(x)) << "seed 3";
}

TEST(ElementaryArrays, EqualSingleCallsAtTheArgumentsOfTheGenerators) {
  std::mt19937_64 generator(4);
  std::vector<float> x;
  for (int i = 0; i < 30000; ++i) {
    const float u = static_cast<float>(generator() >> 40) * 0x1p-24F;
    x.insert(x.end(), {u, 1 - u, 0x1.921fb6p+2F * u, 60 * (u - 0.5F), 0x1p18F * (u - 0.5F)});
  }
  EXPECT_TRUE(arrays_equal_singles(x)) << "seed 4";
}

TEST(ElementaryArrays, EqualSingleCallsWhereTheyAskMpfrOrFollowALimit) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float largest = std::numeric_limits<float>::max();
  const float smallest = std::numeric_limits<float>::denorm_min();
  std::vector<float> x{0.0F,
                       -0.0F,
                       infinity,
                       -infinity,
                       largest,
                       -largest,
                       smallest,
                       -smallest,
                       1,
                       -1,
                       0x1p17F,
                       -0x1p17F,
                       0x1.000002p17F,
                       89,
                       89.00001F,
                       88.72284F,
                       -104,
                       -104.001F,
                       -103.98F,
                       0x1.33333p+13F,
                       0x1.827a74p-7F,
                       1e30F,
                       0x1.2f1fd6p+3F,
                       0x1.bacb4ap+25F};
  x.push_back(std::numeric_limits<float>::quiet_NaN());
  for (int exponent = -30; exponent <= -8; ++exponent) x.push_back(std::ldexp(1.0F, exponent));
  EXPECT_TRUE(arrays_equal_singles(x));
}

TEST(ElementaryArrays, AnySizeWillDo) {
  std::vector<float> x;
  for (int size = 0; size < 70; ++size) {
    EXPECT_TRUE(arrays_equal_singles(x));
    x.push_back(0.37F * static_cast<float>(size) - 3);
  }
}

TEST(ElementaryArrays, WriteNothingBehindTheirResults) {
  const std::vector<float> x(9, 0.5F);
  for (const Isa isa : available_isas()) {
    std::vector<float> log(20, -7.0F);
    truth::log_rounded(x, std::span(log).first(x.size()), isa);
    EXPECT_EQ(log[x.size()], -7) << name_of(isa);
  }
}

TEST(ElementaryArrays, DifferingSizesAreInputErrors) {
  const std::vector<float> x(3);
  std::vector<float> same(3);
  std::vector<float> shorter(2);
  EXPECT_THROW(truth::sin_cos_rounded(x, same, shorter), InputError);
  EXPECT_THROW(truth::sin_cos_rounded(x, shorter, same), InputError);
  EXPECT_THROW(truth::log_rounded(x, shorter), InputError);
  EXPECT_THROW(truth::exp_rounded(x, shorter), InputError);
}

}  // namespace
}  // namespace fftprec::testing

/// The fp32 elementary functions against MPFR with the target's precision: its one rounding is the
/// answer.
#include "arith/truth/elementary.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
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

/// A function of one value, and of arrays.
struct Function {
  const char* name;
  float (*alone)(float);
  void (*arrays)(std::span<const float>, std::span<float>, Isa);
  MpfrFunction truth;
};
const Function functions[] = {
    {"sin", [](float x) { return truth::sin_cos_rounded(x).sin; },
     [](auto x, auto y, Isa isa) {
       std::vector<float> cos(x.size());
       truth::sin_cos_rounded(x, y, cos, isa);
     },
     mpfr_sin},
    {"cos", [](float x) { return truth::sin_cos_rounded(x).cos; },
     [](auto x, auto y, Isa isa) {
       std::vector<float> sin(x.size());
       truth::sin_cos_rounded(x, sin, y, isa);
     },
     mpfr_cos},
    {"log", [](float x) { return truth::log_rounded(x); },
     [](auto x, auto y, Isa isa) { truth::log_rounded(x, y, isa); }, mpfr_log},
    {"exp", [](float x) { return truth::exp_rounded(x); },
     [](auto x, auto y, Isa isa) { truth::exp_rounded(x, y, isa); }, mpfr_exp}};

/// Expects all functions to be right at x, alone and in arrays of every instruction set.
void expect_right(const std::vector<float>& x) {
  for (const Function& function : functions) {
    std::vector<double> truths;
    for (std::size_t i = 0; i < x.size(); ++i) {
      truths.push_back(judge(function.truth, x[i]));
      ASSERT_TRUE(same_value(static_cast<double>(function.alone(x[i])), truths[i]))
          << function.name << " at " << show(static_cast<double>(x[i]));
    }
    for (const Isa isa : available_isas()) {
      std::vector<float> y(x.size());
      function.arrays(x, y, isa);
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_TRUE(same_value(static_cast<double>(y[i]), truths[i]))
            << function.name << " at " << show(static_cast<double>(x[i])) << ", element " << i
            << " of " << x.size() << ", " << name_of(isa);
    }
  }
}

TEST(Elementary, IsCorrectlyRoundedOverAllBitPatterns) {
  std::mt19937_64 generator(1);
  std::vector<float> x(15001);
  for (float& value : x) value = std::bit_cast<float>(static_cast<std::uint32_t>(generator()));
  expect_right(x);
}

TEST(Elementary, IsCorrectlyRoundedAtAnglesAndNearMultiplesOfHalfPi) {
  std::vector<float> x;
  for (std::uint32_t e = 0; e < 1024 * 1024; e += 97)  // of a DFT matrix
    x.push_back(0x1.921fb6p+2F * static_cast<float>(e) / 1024);
  for (int k = 1; k < 90000; k += 31) {
    const auto multiple = static_cast<float>(k * 1.5707963267948966);
    for (const float to : {0.0F, multiple, 1e9F}) x.push_back(std::nextafter(multiple, to));
  }
  expect_right(x);
}

TEST(Elementary, IsCorrectlyRoundedAtTheArgumentsOfTheGenerators) {
  std::mt19937_64 generator(2);
  std::vector<float> x;
  for (int i = 0; i < 6000; ++i) {
    const float u = static_cast<float>(generator() >> 40) * 0x1p-24F;
    x.insert(x.end(), {u, 1 - u, 0x1.921fb6p+2F * u, 60 * (u - 0.5F), 0x1p18F * (u - 0.5F)});
  }
  for (int i = 0; i < 300; ++i)
    x.insert(x.end(), {1 - static_cast<float>(i) * 0x1p-24F, 1 + static_cast<float>(i) * 0x1p-23F});
  expect_right(x);
}

TEST(Elementary, IsCorrectlyRoundedWhereTheFastPathCannotTellOrALimitCounts) {
  // cos(2^-12) = 1 - 2^-25 + ...: a midpoint of two floats to 50 bits, as at other tiny arguments.
  std::vector<float> x;
  for (int exponent = -30; exponent <= -8; ++exponent)
    x.insert(x.end(), {std::ldexp(1.0F, exponent), std::ldexp(-1.5F, exponent),
                       std::nextafter(std::ldexp(1.0F, exponent), 1.0F)});
  // All floats for which a double evaluation alone gives the wrong neighbour.
  x.insert(x.end(), {0x1.33333p+13F, 0x1.827a74p-7F, 0x1.2f1fd6p+3F, 0x1.bacb4ap+25F,
                     0x1.b121a6p+76F, 0x1.6351d8p+95F});
  for (const float limit :
       {0.0F, 1.0F, 0x1p17F, 0x1.000002p17F, 1e30F, std::numeric_limits<float>::max(),
        std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::infinity()})
    x.insert(x.end(), {limit, -limit});
  x.push_back(std::numeric_limits<float>::quiet_NaN());
  for (float y = -104.5F; y < -86; y += 0.00371F) x.push_back(y);  // exp is subnormal
  for (float y = 88; y < 89.5F; y += 0.00371F) x.push_back(y);     // and overflows
  expect_right(x);
}

TEST(ElementaryArrays, AnySizeWillDo) {
  std::vector<float> x;
  for (int size = 0; size < 70; ++size) {
    expect_right(x);
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

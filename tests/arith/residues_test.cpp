/// Products by residues, and the way from residues back to an integer and a double: judged by
/// integers of any length and MPFR.
#include "arith/splitting/residues.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "arith/support/error.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"
#include "tests/support/truncations.hpp"

namespace fftprec::testing {

using Integer = boost::multiprecision::cpp_int;

/// integer * 2^exponent rounded once by MPFR.
inline double rounded(const Integer& integer, int exponent) {
  Wide number(2000);
  mpfr_set_str(number.get(), integer.str().c_str(), 10, MPFR_RNDN);
  mpfr_mul_2si(number.get(), number.get(), exponent, MPFR_RNDN);
  Wide result(53);
  const int ternary = mpfr_set(result.get(), number.get(), MPFR_RNDN);
  const MpfrRange range(-1073, 1024);
  mpfr_subnormalize(result.get(), mpfr_check_range(result.get(), ternary, MPFR_RNDN), MPFR_RNDN);
  return mpfr_get_d(result.get(), MPFR_RNDN);
}

TEST(ResidueModuli, LeadBackFromResiduesToEveryInteger) {
  std::mt19937_64 random(1);
  for (std::size_t moduli = 1; moduli <= most_moduli; ++moduli) {
    const ChineseRemainder remainder(moduli);
    Integer product = 1;
    for (std::size_t l = 0; l < moduli; ++l) product *= residue_moduli[l];
    ASSERT_EQ(Integer(remainder.product()), product);
    for (int run = 0; run < 300; ++run) {
      // The two ends of the range, their neighbours, and anything between.
      Integer truth = Integer(random()) * Integer(random()) % product - product / 2;
      if (run < 4) truth = -(product / 2) + run;
      if (run >= 4 && run < 8) truth = (product + 1) / 2 - 1 - (run - 4);
      std::vector<std::uint8_t> coefficients(moduli);
      for (std::size_t l = 0; l < moduli; ++l)
        coefficients[l] =
            remainder.coefficient(l, static_cast<std::int32_t>(truth % residue_moduli[l]));
      ASSERT_EQ(Integer(remainder.integer(coefficients.data(), 1)), truth) << moduli << " moduli";
    }
  }
}

TEST(ResidueModuli, RoundAnIntegerTimesAPowerOfTwoOnce) {
  std::mt19937_64 random(2);
  const auto check = [](Int128 integer, int exponent) {
    ASSERT_TRUE(same_value(round_scaled(integer, exponent), rounded(Integer(integer), exponent)))
        << Integer(integer) << " * 2^" << exponent;
  };
  for (int run = 0; run < 20000; ++run) {
    const int length = 1 + static_cast<int>(random() % 125);
    auto integer =
        static_cast<Int128>(((static_cast<Uint128>(random()) << 64 | random()) >> (128 - length)));
    // Half of them ties of the 53rd bit or next to one.
    if (run % 2 && length > 54) {
      const Int128 tie = Int128{1} << (length - 54);
      integer = (integer / (2 * tie)) * (2 * tie) + tie + static_cast<int>(random() % 3) - 1;
    }
    if (random() % 2) integer = -integer;
    for (const int exponent :
         {0, static_cast<int>(random() % 100), -1074 - static_cast<int>(random() % 130),
          1024 - length + static_cast<int>(random() % 3) - 1, -2300, 2000})
      check(integer, exponent);
  }
  // Every tie of small subnormals.
  for (int integer = -65; integer <= 65; ++integer)
    for (int dropped = 0; dropped < 9; ++dropped) check(integer, -1074 - dropped);
}

namespace {

/// A complex matrix, depth x free, and its groups' integers by MPFR.
struct Operand {
  std::size_t depth;
  std::size_t free;
  std::vector<double> re = std::vector<double>(depth * free);
  std::vector<double> im = std::vector<double>(depth * free);

  SliceSource source() const { return {re.data(), im.data(), free, 1}; }

  void fill(int lowest, int spread, std::mt19937_64& random) {
    for (std::vector<double>* part : {&re, &im})
      for (double& x : *part) {
        const double significand = 1 + std::ldexp(static_cast<double>(random() >> 12), -52);
        const int exponent = lowest + static_cast<int>(random() % static_cast<unsigned>(spread));
        x = std::ldexp(random() % 2 ? significand : -significand, exponent);
      }
  }
  int exponent(std::size_t i) const {
    double largest = 0;
    for (std::size_t k = 0; k < depth; ++k)
      largest = std::max({largest, std::fabs(re[k * free + i]), std::fabs(im[k * free + i])});
    int exponent = 0;
    if (largest != 0 && std::frexp(largest, &exponent) == 0.5) --exponent;
    return exponent;
  }
  /// Entry (k, i) of a part in units of 2^(E_i - bits).
  Integer integer(const std::vector<double>& part, std::size_t k, std::size_t i, int bits) const {
    Wide x(53);
    mpfr_set_d(x.get(), part[k * free + i], MPFR_RNDN);
    mpfr_mul_2si(x.get(), x.get(), bits - exponent(i), MPFR_RNDN);
    mpfr_roundeven(x.get(), x.get());
    return Integer(mpfr_get_si(x.get(), MPFR_RNDN));
  }
};

struct Result {
  std::vector<double> re;
  std::vector<double> im;
};

Result product(const Operand& x, const Operand& w, std::size_t moduli, int bits_x, int bits_w) {
  const ResidueMatrix data(x.source(), x.depth, x.free, moduli, bits_x);
  const ResidueMatrix factor(w.source(), w.depth, w.free, moduli, bits_w);
  Result result{std::vector<double>(x.free * w.free), std::vector<double>(x.free * w.free)};
  multiply(data, factor, result.re.data(), result.im.data(), w.free);
  return result;
}

void expect_exact(const Operand& x, const Operand& w, std::size_t moduli, int bits_x, int bits_w) {
  const Result result = product(x, w, moduli, bits_x, bits_w);
  for (std::size_t i = 0; i < x.free; ++i)
    for (std::size_t j = 0; j < w.free; ++j) {
      Integer re = 0, im = 0;
      for (std::size_t k = 0; k < x.depth; ++k) {
        const Integer a = x.integer(x.re, k, i, bits_x), b = x.integer(x.im, k, i, bits_x);
        const Integer c = w.integer(w.re, k, j, bits_w), d = w.integer(w.im, k, j, bits_w);
        re += a * c - b * d;
        im += a * d + b * c;
      }
      const int exponent = x.exponent(i) - bits_x + w.exponent(j) - bits_w;
      const std::size_t at = i * w.free + j;
      ASSERT_TRUE(same_value(result.re[at], rounded(re, exponent)))
          << re << " * 2^" << exponent << ", " << moduli << " moduli, (" << i << ", " << j << ")";
      ASSERT_TRUE(same_value(result.im[at], rounded(im, exponent))) << im << " * 2^" << exponent;
    }
}

}  // namespace

TEST(ResidueBits, AreTheMostThatTheModuliDetermine) {
  for (std::size_t moduli = 1; moduli <= most_moduli; ++moduli)
    for (const std::size_t depth : {1u, 64u, 1000u, 4096u}) {
      Integer product = 1;
      for (std::size_t l = 0; l < moduli; ++l) product *= residue_moduli[l];
      int bits = 0;
      while ((Integer(4 * depth) << (2 * (bits + 1))) < product) ++bits;
      EXPECT_EQ(residue_bits(depth, moduli), bits) << moduli << " moduli, depth " << depth;
    }
  EXPECT_GE(residue_bits(64, 15), 53) << "fp64 operands whose exponents do not differ";
}

TEST(ResidueProduct, IsTheIntegersProductRoundedOnce) {
  std::mt19937_64 random(3);
  for (std::size_t moduli = 3; moduli <= most_moduli; moduli += 2)
    for (const auto& [depth, rows, cols] :
         {std::array<std::size_t, 3>{1, 1, 1}, {7, 3, 5}, {64, 5, 3}, {3, 1, 300}, {3, 300, 1}}) {
      Operand x{.depth = depth, .free = rows}, w{.depth = depth, .free = cols};
      x.fill(-3, 12, random);
      w.fill(40, 3, random);
      const int bits = residue_bits(depth, moduli);
      expect_exact(x, w, moduli, bits, bits);
      if (bits > 4) expect_exact(x, w, moduli, bits - 3, bits + 3);
    }
}

TEST(ResidueProduct, IsExactAtBothEndsOfItsRange) {
  // All entries +-2^E: the largest sums, of either sign, that the bits allow.
  for (std::size_t moduli = 2; moduli <= most_moduli; ++moduli) {
    Operand x{.depth = 64, .free = 2}, w{.depth = 64, .free = 2};
    const int bits = residue_bits(64, moduli);
    for (std::size_t k = 0; k < 64; ++k)
      for (std::size_t i = 0; i < 2; ++i) {
        x.re[2 * k + i] = w.re[2 * k + i] = i ? -1 : 1;
        x.im[2 * k + i] = i ? 1 : -1;
        w.im[2 * k + i] = i ? -1 : 1;
      }
    expect_exact(x, w, moduli, bits, bits);
  }
}

TEST(ResidueProduct, HoldsForHugeTinyAndSubnormalData) {
  std::mt19937_64 random(4);
  for (const auto& [x_lowest, w_lowest] :
       {std::pair{-1074, 1000}, {-1074, -40}, {-1020, -52}, {1015, -3}, {1015, 2}, {-537, -537}}) {
    Operand x{.depth = 5, .free = 3}, w{.depth = 5, .free = 3};
    x.fill(x_lowest, 8, random);
    w.fill(w_lowest, 8, random);
    expect_exact(x, w, 12, residue_bits(5, 12), residue_bits(5, 12));
  }
}

TEST(ResidueTruncation, IsNearlyReached) {
  // 1 less half a unit is a tie and goes to 1: all eight real products grow by a whole unit.
  constexpr int bits = 10;
  const double below = 1 - std::ldexp(1.0, -bits - 1);
  Operand x{.depth = 4, .free = 1}, w{.depth = 4, .free = 1};
  x.re.assign(4, below);
  x.im.assign(4, -below);
  w.re.assign(4, below);
  w.im.assign(4, below);
  const double error = product(x, w, 6, bits, bits).re[0] - 8 * below * below;
  EXPECT_LE(error, residue_truncation(4, bits, bits));
  EXPECT_GE(error, residue_truncation(4, bits, bits) * below) << "the bound says too little";
}

TEST(ResidueProduct, OfANanOrAnInfinityIsNanInItsRowOnly) {
  Operand x{.depth = 2, .free = 3}, w{.depth = 2, .free = 2};
  x.re.assign(6, 1);
  x.im.assign(6, 0);
  x.im[4] = std::numeric_limits<double>::infinity();
  w.re.assign(4, 1);
  const Result result = product(x, w, 4, 8, 8);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_EQ(std::isnan(result.re[i * 2 + j]), i == 1);
      EXPECT_EQ(std::isnan(result.im[i * 2 + j]), i == 1);
    }
}

TEST(ResidueProduct, RefusesWhatItCannotDetermine) {
  const auto attempt = [](std::size_t depth, std::size_t moduli, int bits, std::size_t other_depth,
                          std::size_t other_moduli) {
    const Operand x{.depth = depth, .free = 1}, w{.depth = other_depth, .free = 1};
    const ResidueMatrix data(x.source(), depth, 1, moduli, bits);
    const ResidueMatrix factor(w.source(), other_depth, 1, other_moduli, bits);
    double re, im;
    multiply(data, factor, &re, &im, 1);
  };
  const int bits = residue_bits(64, 8);
  EXPECT_NO_THROW(attempt(64, 8, bits, 64, 8));
  EXPECT_THROW(attempt(64, 8, bits + 1, 64, 8), InputError) << "not determined";
  EXPECT_THROW(attempt(64, 8, bits, 63, 8), InputError) << "depths differ";
  EXPECT_THROW(attempt(64, 8, bits, 64, 9), InputError) << "moduli differ";
  EXPECT_NO_THROW(attempt(65535, 15, 40, 65535, 15));
  EXPECT_THROW(attempt(65536, 15, 40, 65536, 15), InputError) << "int32 may overflow";
  EXPECT_THROW(attempt(1, 0, 8, 1, 0), InputError) << "no moduli";
  EXPECT_THROW(attempt(1, 16, 8, 1, 16), InputError) << "too many moduli";
  EXPECT_THROW(attempt(1, 4, 0, 1, 4), InputError) << "no bits";
  const Operand x{.depth = 1, .free = 1};
  EXPECT_NO_THROW(ResidueMatrix(x.source(), 1, 1, 4, 60));
  EXPECT_THROW(ResidueMatrix(x.source(), 1, 1, 4, 61), InputError) << "too many bits";
}

}  // namespace fftprec::testing

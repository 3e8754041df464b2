/// The way from residues back to an integer, and from an integer to a double.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "arith/splitting/residues.hpp"
#include "tests/arith/residues_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {

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

}  // namespace fftprec::testing

/// Number theory by trial, and trnfft's choice by its published rules.
#include "algorithms/fft/number_theory.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/fft/trnfft_choice.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

constexpr std::uint64_t largest = 400;

/// Counted from the definition.
bool has_two_divisors(std::uint64_t n) {
  std::uint64_t divisors = 0;
  for (std::uint64_t d = 1; d <= n; ++d) divisors += n % d == 0;
  return divisors == 2;
}

}  // namespace

TEST(PowerMod, MultipliesStepByStep) {
  for (const std::uint64_t modulus : {1u, 2u, 9u, 97u})
    for (std::uint64_t base = 0; base < 2 * modulus; ++base) {
      std::uint64_t product = 1 % modulus;
      for (std::uint64_t exponent = 0; exponent < 40; ++exponent) {
        ASSERT_EQ(power_mod(base, exponent, modulus), product)
            << base << "^" << exponent << " mod " << modulus;
        product = product * base % modulus;
      }
    }
  // 4294967291 is prime: Fermat's little theorem next to 2^32.
  EXPECT_EQ(power_mod(4294967290u, 4294967290u, 4294967291u), 1u);
}

TEST(InverseMod, TimesTheValueIsOne) {
  for (std::uint64_t modulus = 1; modulus <= 120; ++modulus)
    for (std::uint64_t value = 1; value <= 2 * modulus; ++value)
      if (std::gcd(value, modulus) == 1) {
        const std::uint64_t inverse = inverse_mod(value, modulus);
        ASSERT_LT(inverse, modulus);
        ASSERT_EQ(value * inverse % modulus, 1 % modulus) << value << " mod " << modulus;
      }
  EXPECT_EQ(inverse_mod(2, 4294967291u), 2147483646u);
}

TEST(IsPrime, CountsDivisors) {
  for (std::uint64_t n = 0; n <= largest; ++n) EXPECT_EQ(is_prime(n), has_two_divisors(n)) << n;
  EXPECT_TRUE(is_prime(4294967291u));
  EXPECT_FALSE(is_prime(std::uint64_t{65537} * 65537));
}

TEST(PrimePowers, MultiplyToTheNumber) {
  for (std::uint64_t n = 1; n <= largest; ++n) {
    std::uint64_t product = 1;
    std::uint64_t last = 1;
    for (const PrimePower& factor : prime_powers(n)) {
      EXPECT_TRUE(has_two_divisors(factor.prime)) << n;
      EXPECT_GT(factor.prime, last) << n;
      std::uint64_t rest = factor.power;
      while (rest % factor.prime == 0) rest /= factor.prime;
      EXPECT_EQ(rest, 1u) << n;
      EXPECT_GT(factor.power, 1u) << n;
      last = factor.prime;
      product *= factor.power;
    }
    EXPECT_EQ(product, n);
  }
  EXPECT_EQ(prime_powers(360), (std::vector<PrimePower>{{2, 8}, {3, 9}, {5, 5}}));
}

TEST(PrimitiveRoot, IsTheSmallestThatGeneratesAll) {
  for (std::uint64_t prime = 2; prime <= largest; ++prime) {
    if (!has_two_divisors(prime)) continue;
    const std::uint64_t root = primitive_root(prime);
    for (std::uint64_t g = 1; g <= root; ++g) {
      std::set<std::uint64_t> powers;
      std::uint64_t power = 1;
      for (std::uint64_t q = 0; q + 1 < prime; ++q, power = power * g % prime) powers.insert(power);
      EXPECT_EQ(powers.size() == prime - 1, g == root) << g << " modulo " << prime;
    }
  }
}

TEST(DivisorBelowRoot, IsTheLargestOfThem) {
  for (std::size_t n = 1; n <= largest; ++n) {
    std::size_t expected = 1;
    for (std::size_t d = 1; d * d <= n; ++d)
      if (n % d == 0) expected = d;
    EXPECT_EQ(divisor_below_root(n), expected) << n;
  }
}

TEST(TrnfftChoice, FollowsThePublishedRules) {
  using enum TrnfftChoice;
  constexpr ProductScheme fast = ProductScheme::plain;
  for (const std::size_t n : {1u, 2u, 100u, 255u, 256u})
    EXPECT_EQ(trnfft_choice(n, fast), dft_gemm);
  for (const std::size_t n : {257u, 500u, 1000u, 4095u})
    EXPECT_EQ(trnfft_choice(n, fast), bluestein);
  // 8^k in k stages; 2^10 as 8,8,4,4 and 2^11 as 8,8,8,4.
  EXPECT_EQ(trnfft_choice(512, fast), stockham_r8);
  EXPECT_EQ(trnfft_choice(1024, fast), stockham_mixed);
  EXPECT_EQ(trnfft_choice(2048, fast), stockham_mixed);
  EXPECT_EQ(trnfft_choice(4096, fast), stockham_r8);
  EXPECT_EQ(trnfft_choice(8192, fast), stockham_mixed);
  EXPECT_EQ(trnfft_choice(std::size_t{1} << 16, fast), stockham_mixed);
  EXPECT_EQ(trnfft_choice(std::size_t{1} << 18, fast), stockham_r8);
}

TEST(TrnfftChoice, DependsOnTheModeForKahanAlone) {
  using enum TrnfftChoice;
  for (const Mode& mode : trnfft_modes())
    for (const std::size_t n : {1u, 16u, 100u, 256u, 512u, 1000u, 1024u}) {
      const TrnfftChoice kahan = n == 100 || n == 1000 ? bluestein : radix2_dit;
      EXPECT_EQ(trnfft_choice(n, resolve(mode, machine_named("trn")).product()),
                mode.name == "kahan" ? kahan : trnfft_choice(n, ProductScheme::plain))
          << mode.name << ", n = " << n;
    }
}

}  // namespace fftprec::testing

/// Products of sequences of integers against their definition at 512 bits, long ones against a
/// number-theoretic transform, weighted ones also against GMP.
#include "arith/truth/products.hpp"

#include <gmp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/truth/judge.hpp"

namespace fftprec::testing {
namespace {

using truth::Real;
using truth::Truth;
using truth::Wrap;

constexpr Wrap all_wraps[] = {Wrap::linear, Wrap::cyclic, Wrap::negacyclic};

std::string trace(std::size_t n, Wrap wrap, int digit_bits) {
  return "n = " + std::to_string(n) + ", x^n = " + std::to_string(static_cast<int>(wrap)) + ", " +
         std::to_string(digit_bits) + " bits, seed = n";
}

ComplexArray<double> real_values(const std::vector<double>& values) {
  ComplexArray<double> x(values.size());
  std::copy(values.begin(), values.end(), x.re.begin());
  return x;
}

/// Integers of -2^bits + 1 .. 2^bits - 1, or from 0 on.
std::vector<double> digits(std::size_t count, int bits, bool with_sign,
                           std::mt19937_64& generator) {
  const std::int64_t most = (std::int64_t{1} << bits) - 1;
  std::uniform_int_distribution<std::int64_t> digit(with_sign ? -most : 0, most);
  std::vector<double> result(count);
  for (double& value : result) value = static_cast<double>(digit(generator));
  return result;
}

/// The sums of the products, without a rounding: result s of `parts` is of parts i and j, i + j =
/// s.
Exact product_by_definition(const ComplexArray<double>& operands, std::size_t n, Wrap wrap,
                            bool square, std::size_t parts = 1) {
  const std::size_t sequence = parts * n;
  const std::size_t item_size = square ? sequence : 2 * sequence;
  const std::size_t size = wrap == Wrap::linear ? 2 * n - 1 : n;
  const std::size_t items = operands.size() / item_size;
  const std::size_t results = (2 * parts - 1) * size;
  Exact exact(items * results);
  Real term(judge_bits);
  mpfr_clear_inexflag();
  for (std::size_t item = 0; item < items; ++item)
    for (std::size_t i = 0; i < sequence; ++i)
      for (std::size_t j = 0; j < sequence; ++j) {
        const double* const a = operands.re.data() + item * item_size;
        const double* const b = square ? a : a + sequence;
        mpfr_set_d(term, a[i], MPFR_RNDN);
        mpfr_mul_d(term, term, b[j], MPFR_RNDN);
        const std::size_t s = i / n + j / n;
        const std::size_t degree = i % n + j % n;
        const bool passes_end = wrap != Wrap::linear && degree >= n;
        if (passes_end && wrap == Wrap::negacyclic) mpfr_neg(term, term, MPFR_RNDN);
        const mpfr_ptr sum = exact.re[item * results + s * size + degree - (passes_end ? n : 0)];
        mpfr_add(sum, sum, term, MPFR_RNDN);
      }
  EXPECT_FALSE(mpfr_inexflag_p()) << "the judge needs more bits";
  return exact;
}

/// Expects the nearest double, then the double nearest to the rest, of every result, zeros in im,
/// and radii of 0 exactly in the items that lose nothing.
void expect_exact_but_for_storing(const Truth& truth, const Exact& exact) {
  ASSERT_EQ(truth.hi.size(), exact.re.size());
  ASSERT_EQ(truth.lo.size(), exact.re.size());
  ASSERT_EQ(truth.hi.size(), truth.n * truth.element_radius.size());
  EXPECT_EQ(truth.tier, truth::Tier::gmp);
  EXPECT_EQ(truth.method, "Kronecker substitution by GMP");
  EXPECT_EQ(truth.bits, truth::bits_of_radius(truth.radius_rel));
  Real rest(judge_bits);
  bool all_fit = true;
  for (std::size_t item = 0; item < truth.element_radius.size(); ++item) {
    bool fits = true;
    for (std::size_t k = 0; k < truth.n; ++k) {
      const std::size_t i = item * truth.n + k;
      const double hi = mpfr_get_d(exact.re[i], MPFR_RNDN);
      mpfr_sub_d(rest, exact.re[i], hi, MPFR_RNDN);
      const double lo = mpfr_get_d(rest, MPFR_RNDN);
      ASSERT_EQ(truth.hi.re[i], hi) << "item " << item << ", k = " << k;
      ASSERT_EQ(truth.lo.re[i], lo) << "item " << item << ", k = " << k;
      ASSERT_EQ(truth.hi.im[i], 0);
      ASSERT_EQ(truth.lo.im[i], 0);
      fits = fits && mpfr_cmp_d(rest, lo) == 0;
    }
    EXPECT_EQ(truth.element_radius[item] == 0, fits) << "item " << item;
    all_fit = all_fit && fits;
  }
  EXPECT_EQ(truth.radius_rel == 0, all_fit);
  expect_honest(truth, exact);
}

void expect_product(const ComplexArray<double>& operands, std::size_t n, Wrap wrap,
                    bool square = false) {
  expect_exact_but_for_storing(truth::product(operands, {.n = n, .wrap = wrap, .square = square}),
                               product_by_definition(operands, n, wrap, square));
}

/// An item of digits with signs and an item without.
ComplexArray<double> two_items(std::size_t item_size, int bits, std::mt19937_64& generator) {
  std::vector<double> operands = digits(item_size, bits, true, generator);
  const std::vector<double> second = digits(item_size, bits, false, generator);
  operands.insert(operands.end(), second.begin(), second.end());
  return real_values(operands);
}

TEST(ProductTruth, EqualsTheDefinitionForAllShortLengths) {
  for (std::size_t n = 1; n <= 64; ++n)
    for (const int bits : {1, 2, 20, 27, 32, 53})
      for (const Wrap wrap : all_wraps) {
        SCOPED_TRACE(trace(n, wrap, bits));
        std::mt19937_64 generator(n);

        expect_product(two_items(2 * n, bits, generator), n, wrap);
      }
}

TEST(ProductTruth, OfTermsIsTheSumOfTheirProducts) {
  for (const std::size_t terms : {2u, 3u, 7u})
    for (const std::size_t n : {1u, 5u, 16u})
      for (const bool square : {false, true})
        for (const Wrap wrap : all_wraps) {
          SCOPED_TRACE(trace(n, wrap, 20) + ", terms = " + std::to_string(terms) +
                       (square ? ", square" : ""));
          std::mt19937_64 generator(n);
          const std::size_t operand = terms * n;
          const auto items = two_items((square ? 1 : 2) * operand, 20, generator);
          const Truth truth =
              truth::product(items, {.n = n, .wrap = wrap, .square = square, .terms = terms});

          const std::size_t size = truth::product_size(n, wrap);
          ASSERT_EQ(truth.hi.size(), 2 * size);
          for (std::size_t item = 0; item < 2; ++item) {
            std::vector<double> sums(size);
            for (std::size_t term = 0; term < terms; ++term) {
              const double* const a =
                  items.re.data() + item * (square ? 1 : 2) * operand + term * n;
              std::vector<double> pair(a, a + n);
              const double* const b = square ? a : a + operand;
              pair.insert(pair.end(), b, b + n);
              const Exact one = product_by_definition(real_values(pair), n, wrap, false);
              for (std::size_t k = 0; k < size; ++k)
                sums[k] += mpfr_get_d(one.re[k], MPFR_RNDN);  // exact: below 2^48
            }
            for (std::size_t k = 0; k < size; ++k)
              ASSERT_EQ(truth.hi.re[item * size + k], sums[k]) << "item " << item << ", k = " << k;
          }
        }
}

TEST(ProductTruth, EqualsTheDefinitionForAllWidthsOfDigits) {
  for (int bits = 1; bits <= 53; ++bits)
    for (const std::size_t n : {2u, 5u, 16u})
      for (const Wrap wrap : all_wraps) {
        SCOPED_TRACE(trace(n, wrap, bits));
        std::mt19937_64 generator(n);

        expect_product(two_items(2 * n, bits, generator), n, wrap);
        expect_product(two_items(n, bits, generator), n, wrap, true);
      }
}

/// Widths on both sides of one word and of two, with all digits at their largest: each bit of the
/// slot and its sign are in use.
TEST(ProductTruth, TheLargestDigitsStayInTheirSlots) {
  for (const std::size_t n : {1u, 2u, 3u, 4u, 5u, 8u, 9u})
    for (int a_bits = 28; a_bits <= 34; ++a_bits)
      for (int b_bits = 28; b_bits <= 34; ++b_bits)
        for (const Wrap wrap : all_wraps) {
          SCOPED_TRACE(trace(n, wrap, a_bits) + ", b of " + std::to_string(b_bits));
          std::vector<double> operands;
          for (const double sign : {1.0, -1.0}) {
            operands.insert(operands.end(), n, sign * (std::ldexp(1.0, a_bits) - 1));
            operands.insert(operands.end(), n, std::ldexp(1.0, b_bits) - 1);
          }

          expect_product(real_values(operands), n, wrap);
        }
}

TEST(ProductTruth, SlotsOfSeveralWordsKeepTheLargestValues) {
  for (const std::size_t n : {2u, 3u, 4u, 7u})
    for (int bits = 54; bits <= 130; ++bits)
      for (const Wrap wrap : all_wraps) {
        SCOPED_TRACE(trace(n, wrap, bits));
        std::vector<double> operands(2 * n, std::ldexp(1 - 0x1p-53, bits));
        operands[0] = 1;  // the lowest bit of a
        operands[n] = -1;
        operands[n - 1] = -operands[n - 1];

        expect_product(real_values(operands), n, wrap);
      }
}

TEST(ProductTruth, ValuesNeedNotBeIntegers) {
  for (const std::size_t n : {1u, 2u, 7u, 30u})
    for (const Wrap wrap : all_wraps) {
      SCOPED_TRACE(trace(n, wrap, 20));
      std::mt19937_64 generator(n);
      for (const auto& [a_unit, b_unit] :
           {std::pair{0.5, 0.5}, std::pair{0x1p-30, 1.0}, std::pair{0x1p-30, 0x1p+40},
            std::pair{0x1p-1074, 0x1p+900}, std::pair{0x1p-537, 0x1p-537},
            std::pair{0x1p+500, 0x1p+450}}) {
        ComplexArray<double> operands = real_values(digits(2 * n, 20, true, generator));
        for (std::size_t i = 0; i < 2 * n; ++i) operands.re[i] *= i < n ? a_unit : b_unit;

        expect_product(operands, n, wrap);
      }
      // Significands of 53 bits with spread exponents.
      std::uniform_int_distribution<int> exponent(-50, 50);
      ComplexArray<double> operands = real_values(digits(4 * n, 53, true, generator));
      for (double& x : operands.re) x = std::ldexp(x, exponent(generator));
      expect_product(operands, n, wrap);
    }
}

TEST(ProductTruth, ZeroSequencesAndABatchAroundThem) {
  for (const Wrap wrap : all_wraps) {
    const std::vector<double> items = {1, -2, 3, 4, 5,  6,    // both
                                       0, 0,  0, 1, -1, 1,    // no a
                                       1, 2,  3, 0, 0,  -0.,  // no b
                                       0, -1, 0, 0, 0,  7};
    SCOPED_TRACE(trace(3, wrap, 3));

    expect_product(real_values(items), 3, wrap);
    expect_product(real_values(items), 3, wrap, true);
  }
}

/// Whole numbers of up to 127 bits.
__extension__ using WideInteger = __int128;

WideInteger whole_value(const Truth& truth, std::size_t i) {
  return static_cast<WideInteger>(truth.hi.re[i]) + static_cast<WideInteger>(truth.lo.re[i]);
}

WideInteger power_of(std::int64_t base, std::size_t exponent) {
  WideInteger result = 1;
  for (; exponent > 0; --exponent) result *= base;
  return result;
}

/// s_j = ceil(E j/n)
std::uint64_t place_of_digit(std::uint64_t exponent, std::size_t n, std::size_t j) {
  return (exponent * j + n - 1) / n;
}

TEST(ProductTruth, PartsGiveTheSumsOfTheProductsOfParts) {
  for (const std::size_t parts : {2u, 3u, 4u, 8u})
    for (const std::size_t n : {1u, 2u, 3u, 7u, 16u})
      for (const int bits : {1, 26, 53})
        for (const Wrap wrap : all_wraps)
          for (const bool square : {false, true}) {
            SCOPED_TRACE(trace(n, wrap, bits) + ", parts = " + std::to_string(parts) +
                         (square ? ", square" : ""));
            std::mt19937_64 generator(n);
            const auto operands = two_items((square ? 1 : 2) * parts * n, bits, generator);

            const Truth truth =
                truth::product(operands, {.n = n, .wrap = wrap, .square = square, .parts = parts});

            expect_exact_but_for_storing(truth,
                                         product_by_definition(operands, n, wrap, square, parts));
          }
}

/// Parts at their largest, alone and beside zeros: no slot reaches into the next part.
TEST(ProductTruth, TheLargestPartsStayApart) {
  for (const std::size_t parts : {2u, 3u})
    for (const int bits : {29, 30, 31, 32})
      for (const Wrap wrap : all_wraps)
        for (std::size_t filled = 0; filled < parts; ++filled) {
          constexpr std::size_t n = 5;
          SCOPED_TRACE(trace(n, wrap, bits) + ", parts = " + std::to_string(parts));
          std::vector<double> operands(2 * parts * n);
          const double most = std::ldexp(1.0, bits) - 1;
          std::fill_n(operands.begin() + static_cast<std::ptrdiff_t>(filled * n), n, -most);
          std::fill_n(operands.begin() + static_cast<std::ptrdiff_t>(parts * n), parts * n, most);

          const Truth truth =
              truth::product(real_values(operands), {.n = n, .wrap = wrap, .parts = parts});

          expect_exact_but_for_storing(
              truth, product_by_definition(real_values(operands), n, wrap, false, parts));
        }
}

/// sum_s base^s c_s is the product of the whole sequences.
TEST(ProductTruth, PartsAddUpToTheWholeProduct) {
  constexpr std::int64_t base = 1 << 10;
  for (const std::size_t parts : {2u, 3u, 4u})
    for (const std::size_t n : {3u, 32u})
      for (const Wrap wrap : all_wraps) {
        SCOPED_TRACE(trace(n, wrap, 10) + ", parts = " + std::to_string(parts));
        std::mt19937_64 generator(n);
        const std::vector<double> cut = digits(2 * parts * n, 9, true, generator);
        std::vector<double> whole(2 * n);
        for (std::size_t i = 0; i < whole.size(); ++i)
          for (std::size_t part = 0; part < parts; ++part)
            whole[i] +=
                cut[(i / n * parts + part) * n + i % n] * static_cast<double>(power_of(base, part));

        const Truth of_parts =
            truth::product(real_values(cut), {.n = n, .wrap = wrap, .parts = parts});
        const Truth of_whole = truth::product(real_values(whole), {.n = n, .wrap = wrap});

        const std::size_t size = of_whole.n;
        ASSERT_EQ(of_parts.n, (2 * parts - 1) * size);
        for (std::size_t k = 0; k < size; ++k) {
          WideInteger sum = 0;
          for (std::size_t s = 0; s < 2 * parts - 1; ++s)
            sum += whole_value(of_parts, s * size + k) * power_of(base, s);
          ASSERT_TRUE(sum == whole_value(of_whole, k)) << "k = " << k;
        }
      }
}

/// c_k = sum_{i+j=k mod n} a_i b_j 2^(s_i + s_j - s_k), less E in the exponent where i + j >= n.
Exact weighted_by_definition(const ComplexArray<double>& operands, std::size_t n,
                             std::uint64_t exponent, bool square) {
  const std::size_t item_size = square ? n : 2 * n;
  Exact exact(operands.size() / item_size * n);
  Real term(judge_bits);
  mpfr_clear_inexflag();
  for (std::size_t item = 0; item < operands.size() / item_size; ++item)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double* const a = operands.re.data() + item * item_size;
        const double* const b = square ? a : a + n;
        const std::size_t k = (i + j) % n;
        const std::uint64_t doublings = place_of_digit(exponent, n, i) +
                                        place_of_digit(exponent, n, j) -
                                        place_of_digit(exponent, n, k) - (i + j < n ? 0 : exponent);
        EXPECT_LE(doublings, 1u) << "i = " << i << ", j = " << j;
        mpfr_set_d(term, a[i], MPFR_RNDN);
        mpfr_mul_d(term, term, b[j], MPFR_RNDN);
        if (doublings == 1) mpfr_mul_ui(term, term, 2, MPFR_RNDN);
        mpfr_add(exact.re[item * n + k], exact.re[item * n + k], term, MPFR_RNDN);
      }
  EXPECT_FALSE(mpfr_inexflag_p()) << "the judge needs more bits";
  return exact;
}

std::string weighted_trace(std::size_t n, std::uint64_t exponent, int bits) {
  return "n = " + std::to_string(n) + ", exponent " + std::to_string(exponent) + ", " +
         std::to_string(bits) + " bits, seed = n";
}

TEST(ProductTruth, WeightedProductsCountEachTermOnceOrTwice) {
  for (std::size_t n = 1; n <= 40; ++n)
    for (const std::uint64_t exponent : {n, n + 1, 2 * n - 1, 7 * n + 3, 20 * n + n / 2, 33 * n})
      for (const int bits : {1, 20, 53})
        for (const bool square : {false, true}) {
          if (bits == 53 && n % 5 != 0) continue;
          SCOPED_TRACE(weighted_trace(n, exponent, bits) + (square ? ", square" : ""));
          std::mt19937_64 generator(n);
          const auto operands = two_items(square ? n : 2 * n, bits, generator);

          const Truth truth = truth::product(
              operands, {.n = n, .wrap = Wrap::cyclic, .square = square, .exponent = exponent});

          expect_exact_but_for_storing(truth,
                                       weighted_by_definition(operands, n, exponent, square));
        }
}

/// Each result is the sum of n terms at their largest, so the errors of all weights add up.
TEST(ProductTruth, WeightsAreExactEnoughForTheLargestDigits) {
  for (const std::size_t n : {2u, 31u, 64u, 100u})
    for (const std::uint64_t exponent : {n + 1, 19 * n - 1})
      for (const double digit : {0x1p53, -0x1p53}) {
        SCOPED_TRACE(weighted_trace(n, exponent, 53));
        std::vector<double> digits_of_both(2 * n, 0x1p53);
        std::fill_n(digits_of_both.begin(), n, digit);
        const auto operands = real_values(digits_of_both);

        const Truth truth =
            truth::product(operands, {.n = n, .wrap = Wrap::cyclic, .exponent = exponent});

        expect_exact_but_for_storing(truth, weighted_by_definition(operands, n, exponent, false));
      }
}

TEST(ProductTruth, WeightedZerosAreZeros) {
  const auto operands = real_values({0, 0, 0, 1, -2, 3, 4, 5, 6, 1, 0, 0});

  const Truth truth = truth::product(operands, {.n = 3, .wrap = Wrap::cyclic, .exponent = 50});

  expect_exact_but_for_storing(truth, weighted_by_definition(operands, 3, 50, false));
}

/// Numbers of GMP with these digits, and of the results.
class Digits {
 public:
  Digits() { mpz_init(sum_); }
  Digits(const Digits&) = delete;
  Digits& operator=(const Digits&) = delete;
  ~Digits() { mpz_clear(sum_); }

  operator mpz_ptr() { return sum_; }

  /// += digit 2^place
  void add(double digit, std::uint64_t place) {
    mpz_t term;
    mpz_init_set_d(term, digit);
    mpz_mul_2exp(term, term, place);
    mpz_add(sum_, sum_, term);
    mpz_clear(term);
  }

 private:
  mpz_t sum_;
};

TEST(ProductTruth, WeightedProductsAreProductsModuloAMersenneNumber) {
  struct Of {
    std::uint64_t exponent;
    std::size_t n;
  };
  for (const auto& [exponent, n] : {Of{127, 8}, Of{1279, 64}, Of{9689, 501}, Of{19937, 1024}})
    for (const bool square : {false, true}) {
      SCOPED_TRACE(weighted_trace(n, exponent, 21));
      std::mt19937_64 generator(n);
      const auto operands = real_values(digits(square ? n : 2 * n, 21, true, generator));
      Digits a, b, expected, found, modulus;
      for (std::size_t j = 0; j < n; ++j) {
        a.add(operands.re[j], place_of_digit(exponent, n, j));
        b.add(operands.re[square ? j : n + j], place_of_digit(exponent, n, j));
      }
      modulus.add(1, exponent);
      modulus.add(-1, 0);

      const Truth truth = truth::product(
          operands, {.n = n, .wrap = Wrap::cyclic, .square = square, .exponent = exponent});

      for (std::size_t k = 0; k < n; ++k) {
        found.add(truth.hi.re[k], place_of_digit(exponent, n, k));
        found.add(truth.lo.re[k], place_of_digit(exponent, n, k));
      }
      mpz_mul(expected, a, b);
      EXPECT_TRUE(mpz_congruent_p(found, expected, modulus));
    }
}

/// (1 - 2x + 3x^2)(4 + 5x + 6x^2) = 4 - 3x + 8x^2 + 3x^3 + 18x^4
TEST(ProductTruth, KnownValues) {
  const auto operands = real_values({1, -2, 3, 4, 5, 6});
  const auto results = [&](Wrap wrap) {
    return truth::product(operands, {.n = 3, .wrap = wrap}).hi.re;
  };

  EXPECT_EQ(results(Wrap::linear), (AlignedVector<double>{4, -3, 8, 3, 18}));
  EXPECT_EQ(results(Wrap::cyclic), (AlignedVector<double>{7, 15, 8}));
  EXPECT_EQ(results(Wrap::negacyclic), (AlignedVector<double>{1, -21, 8}));
}

/// The middle result, 2^100 + 2 + 2^-100, is stored as 2^100 + 2.
TEST(ProductTruth, TheRadiusIsWhatPairsOfDoublesLose) {
  const auto operands = real_values({0x1p+50, 0x1p-50, 0x1p+50, 0x1p-50, 0, 0, 0, 0});
  ComplexArray<double> lossy = real_values({0x1p+100, 2, 0x1p-100, 1, 1, 1});

  const Truth exact = truth::product(operands, {.n = 4});
  const Truth rounded = truth::product(lossy, {.n = 3});

  EXPECT_EQ(exact.radius_rel, 0);
  EXPECT_EQ(exact.bits, truth::exact_bits);
  EXPECT_EQ(rounded.hi.re[2], 0x1p+100);
  EXPECT_EQ(rounded.lo.re[2], 2);
  EXPECT_GE(rounded.element_radius.at(0), 0x1p-100);
  EXPECT_LE(rounded.element_radius.at(0), 0x1.8p-100);
  EXPECT_GE(rounded.radius_rel, 0x1p-201);  // of sqrt(3) 2^100
  EXPECT_LE(rounded.radius_rel, 0x1p-200);
  EXPECT_EQ(rounded.bits, 200);
}

TEST(ProductTruth, ResultsBelowTheSmallestDoubleAreInTheRadius) {
  const Truth below =
      truth::product(real_values({0x1p-600}), {.n = 1, .wrap = Wrap::cyclic, .square = true});

  EXPECT_EQ(below.hi.re[0], 0);
  EXPECT_EQ(below.radius_rel, std::numeric_limits<double>::infinity());
  EXPECT_GT(below.element_radius.at(0), 0);
}

/// Arithmetic modulo p = 2^64 - 2^32 + 1, where 7 generates all units.
namespace field {

__extension__ using Wide = unsigned __int128;
constexpr std::uint64_t p = 0xffffffff00000001;

std::uint64_t times(std::uint64_t x, std::uint64_t y) {
  return static_cast<std::uint64_t>(Wide{x} * y % p);
}

std::uint64_t power(std::uint64_t x, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = times(result, x);
    x = times(x, x);
  }
  return result;
}

std::uint64_t inverse(std::uint64_t x) { return power(x, p - 2); }
std::uint64_t root_of_order(std::uint64_t n) { return power(7, (p - 1) / n); }

/// Residues of integers below p/2 in magnitude, and back.
std::uint64_t residue(double x) {
  return x < 0 ? p - static_cast<std::uint64_t>(-x) : static_cast<std::uint64_t>(x);
}
std::int64_t integer(std::uint64_t x) {
  return x > p / 2 ? -static_cast<std::int64_t>(p - x) : static_cast<std::int64_t>(x);
}

/// sum_j x_j root^(jk), decimated in time.
std::vector<std::uint64_t> transform(const std::vector<std::uint64_t>& x, std::uint64_t root) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  std::vector<std::uint64_t> even(n / 2);
  std::vector<std::uint64_t> odd(n / 2);
  for (std::size_t j = 0; j < n; ++j) (j % 2 == 0 ? even : odd)[j / 2] = x[j];
  even = transform(even, times(root, root));
  odd = transform(odd, times(root, root));
  std::vector<std::uint64_t> y(n);
  std::uint64_t twiddle = 1;
  for (std::size_t k = 0; k < n / 2; ++k) {
    const std::uint64_t t = times(twiddle, odd[k]);
    y[k] = static_cast<std::uint64_t>((Wide{even[k]} + t) % p);
    y[k + n / 2] = static_cast<std::uint64_t>((Wide{even[k]} + p - t) % p);
    twiddle = times(twiddle, root);
  }
  return y;
}

/// The product modulo x^n - w^n, where w scales x. Requires: n is a power of two.
std::vector<std::int64_t> product(std::vector<std::uint64_t> a, std::vector<std::uint64_t> b,
                                  std::uint64_t w) {
  const std::size_t n = a.size();
  const auto scale = [](std::vector<std::uint64_t>& x, std::uint64_t first, std::uint64_t ratio) {
    for (std::uint64_t& value : x) {
      value = times(value, first);
      first = times(first, ratio);
    }
  };
  scale(a, 1, w);
  scale(b, 1, w);
  const std::uint64_t root = root_of_order(n);
  a = transform(a, root);
  b = transform(b, root);
  for (std::size_t k = 0; k < n; ++k) a[k] = times(a[k], b[k]);
  a = transform(a, inverse(root));
  scale(a, inverse(n), inverse(w));
  std::vector<std::int64_t> result(n);
  std::transform(a.begin(), a.end(), result.begin(), integer);
  return result;
}

}  // namespace field

TEST(ProductTruth, LongProductsEqualANumberTheoreticTransform) {
  constexpr int bits = 20;
  for (const std::size_t n : {std::size_t{1} << 6, std::size_t{1} << 10, std::size_t{1} << 16})
    for (const Wrap wrap : all_wraps)
      for (const bool square : {false, true}) {
        SCOPED_TRACE(trace(n, wrap, bits) + (square ? ", square" : ""));
        std::mt19937_64 generator(n);
        const auto operands = real_values(digits(square ? n : 2 * n, bits, true, generator));
        const std::size_t padded = wrap == Wrap::linear ? 2 * n : n;
        std::vector<std::uint64_t> a(padded);
        std::vector<std::uint64_t> b(padded);
        for (std::size_t i = 0; i < n; ++i) {
          a[i] = field::residue(operands.re[i]);
          b[i] = field::residue(operands.re[square ? i : n + i]);
        }
        const std::vector<std::int64_t> expected = field::product(
            a, b, wrap == Wrap::negacyclic ? field::root_of_order(2 * n) : std::uint64_t{1});

        const Truth truth = truth::product(operands, {.n = n, .wrap = wrap, .square = square});

        EXPECT_EQ(truth.radius_rel, 0);
        EXPECT_EQ(truth.bits, truth::exact_bits);
        ASSERT_EQ(truth.hi.size(), wrap == Wrap::linear ? 2 * n - 1 : n);
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < truth.n; ++k)
          if (static_cast<std::int64_t>(truth.hi.re[k]) +
                  static_cast<std::int64_t>(truth.lo.re[k]) !=
              expected[k])
            ++wrong;
        EXPECT_EQ(wrong, 0u);
      }
}

TEST(ProductTruth, RejectsWhatItCannotCompute) {
  const auto text = [](const ComplexArray<double>& x, std::size_t n, bool square,
                       const truth::TruthOptions& options = {}) {
    return error_text(
        [&] { truth::product(x, {.n = n, .wrap = Wrap::cyclic, .square = square}, options); });
  };
  const auto six = real_values({1, 2, 3, 4, 5, 6});

  EXPECT_EQ(text(six, 0, false), "product: an item of size 0");
  EXPECT_EQ(text(six, 2, false), "product: size 6 is no multiple of 4");
  EXPECT_EQ(text(six, 4, true), "product: size 6 is no multiple of 4");
  EXPECT_EQ(text(six, 2, true), "no error");
  ComplexArray<double> other = six;
  other.im[3] = -1;
  EXPECT_EQ(text(other, 3, false), "product: the imaginary part of element 3 is not zero");
  other.im.pop_back();
  EXPECT_EQ(text(other, 3, false), "product: real and imaginary parts differ in size");
  for (const double value : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    other = six;
    other.re[5] = value;
    EXPECT_EQ(text(other, 3, false), "product: input element 5 is not finite");
  }
  EXPECT_EQ(text(real_values({0x1p+600, 0x1p+424}), 1, false),
            "truth: a result is beyond the range of double");
  EXPECT_EQ(text(real_values({0x1p+600, 0x1p+423}), 1, false), "no error");
  EXPECT_EQ(text(six, 3, false, {.tier = truth::Tier::gmp}), "no error");
  EXPECT_EQ(text(six, 3, false, {.tier = truth::Tier::mpfr}),
            "truth: products of integers are computed in gmp alone, not in mpfr");
  EXPECT_EQ(text(six, 3, false, {.tier = truth::Tier::double_double}),
            "truth: products of integers are computed in gmp alone, not in dd");
}

TEST(ProductTruth, RejectsPartsAndWeightsWithoutMeaning) {
  const auto text = [](const std::vector<double>& x, const truth::ProductTask& task) {
    return error_text([&] { truth::product(real_values(x), task); });
  };
  const std::vector<double> six = {1, 2, 3, 4, 5, 6};
  truth::ProductTask weighted{.n = 3, .wrap = Wrap::cyclic, .exponent = 7};

  EXPECT_EQ(text(six, {.n = 3, .parts = 0}), "product: an item of size 0");
  EXPECT_EQ(text(six, {.n = 3, .parts = 2}), "product: size 6 is no multiple of 12");
  EXPECT_EQ(text(six, {.n = 3, .square = true, .parts = 2}), "no error");
  EXPECT_EQ(text(six, {.n = 1, .terms = 3}), "no error");
  EXPECT_EQ(text(std::vector<double>(8), {.n = 1, .parts = 2, .terms = 2}),
            "product: parts are not summed to terms");
  EXPECT_EQ(text(six, weighted), "no error");
  EXPECT_EQ(text({1, 2, 3, 4, 5, 0x1p53}, weighted), "no error");
  EXPECT_EQ(text({1, 2, 3, 4, 5, 0x1p53 + 2}, weighted),
            "product: the weighted digit 9007199254740994.000000 is no integer of up to 53 bits");
  EXPECT_EQ(text({1, 2, 3, 4, 5, 0.5}, weighted),
            "product: the weighted digit 0.500000 is no integer of up to 53 bits");
  weighted.exponent = 2;
  EXPECT_EQ(text(six, weighted), "product: exponent 2 has no bit for some of 3 digits");
  for (const Wrap wrap : {Wrap::linear, Wrap::negacyclic})
    EXPECT_EQ(text(six, {.n = 3, .wrap = wrap, .exponent = 7}),
              "product: weighted digits have cyclic products, not in parts or terms");
  EXPECT_EQ(text({1, 2, 3, 4}, {.n = 1, .wrap = Wrap::cyclic, .parts = 2, .exponent = 7}),
            "product: weighted digits have cyclic products, not in parts or terms");
}

TEST(ProductTruth, RejectsMoreBitsThanMemoryHolds) {
  const std::size_t n = std::size_t{1} << 20;
  ComplexArray<double> x(n);
  x.re[1] = std::numeric_limits<double>::max();
  x.re[2] = std::numeric_limits<double>::denorm_min();

  EXPECT_EQ(error_text([&] { truth::product(x, {.n = n, .wrap = Wrap::cyclic, .square = true}); }),
            "product: 1048576 results of 4217 bits are more than 67108864 words of 64 bits");
}

}  // namespace
}  // namespace fftprec::testing

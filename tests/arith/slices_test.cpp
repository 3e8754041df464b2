/// Slices: their cut, their bounds, how many bits they may have and which of their products are
/// kept.
#include "arith/splitting/slices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {

namespace {

constexpr mpfr_prec_t wide = 2400;  // any sum of doubles that differ by 2^2200 at most

struct Matrix {
  std::size_t depth;
  std::size_t free;
  std::vector<double> re = std::vector<double>(depth * free);
  std::vector<double> im = re;
  bool k_first = false;  ///< k is the contiguous index

  SliceSource source() const {
    return {re.data(), im.data(), k_first ? 1 : free, k_first ? depth : 1};
  }
  std::size_t at(std::size_t k, std::size_t i) const {
    return k_first ? i * depth + k : k * free + i;
  }
};

/// Doubles of any sign with exponents in [lowest, lowest + spread), a tenth of them zero.
Matrix random_matrix(std::size_t depth, std::size_t free, int lowest, int spread,
                     std::mt19937_64& random) {
  Matrix matrix{.depth = depth, .free = free};
  for (std::vector<double>* part : {&matrix.re, &matrix.im})
    for (double& x : *part) {
      const double significand = 1 + std::ldexp(static_cast<double>(random() >> 12), -52);
      const int exponent = lowest + static_cast<int>(random() % static_cast<unsigned>(spread));
      x = random() % 10 == 0 ? 0 : std::ldexp(random() % 2 ? significand : -significand, exponent);
    }
  return matrix;
}

/// E of group i, by MPFR's exponents.
int exponent_judged(const Matrix& matrix, std::size_t i) {
  Wide largest(53);
  Wide x(53);
  for (std::size_t k = 0; k < matrix.depth; ++k)
    for (const double entry : {matrix.re[matrix.at(k, i)], matrix.im[matrix.at(k, i)]}) {
      mpfr_set_d(x.get(), entry, MPFR_RNDN);
      if (mpfr_cmpabs(x.get(), largest.get()) > 0) mpfr_abs(largest.get(), x.get(), MPFR_RNDN);
    }
  if (mpfr_zero_p(largest.get())) return 0;
  const long exponent = mpfr_get_exp(largest.get());
  return static_cast<int>(exponent - (mpfr_cmp_si_2exp(largest.get(), 1, exponent - 1) == 0));
}

/// The slices of a matrix, one plane each, laid out with free contiguous or k contiguous.
struct Slices {
  std::size_t count;
  int bits;
  std::vector<float> re;
  std::vector<float> im;
  std::vector<int> exponents;
  bool k_first = false;
  std::size_t step = 1;  ///< between neighbours

  Slices(const Matrix& matrix, std::size_t slices, int slice_bits, const Format& word,
         bool out_k_first = false, std::size_t out_step = 1)
      : count(slices),
        bits(slice_bits),
        re(slices * matrix.re.size() * out_step),
        im(re.size()),
        exponents(matrix.free),
        k_first(out_k_first),
        step(out_step) {
    cut_into_slices(matrix.source(), matrix.depth, matrix.free, count, bits, word, re.data(),
                    im.data(), step * matrix.re.size(), step * (k_first ? 1 : matrix.free),
                    step * (k_first ? matrix.depth : 1), exponents.data());
  }
  std::size_t at(const Matrix& matrix, std::size_t s, std::size_t k, std::size_t i) const {
    return step * (s * matrix.re.size() + (k_first ? i * matrix.depth + k : k * matrix.free + i));
  }
};

/// Every slice of every entry is what the definition says, exactly; what is left is within the
/// bound.
void expect_slices_as_defined(const Matrix& matrix, const Slices& slices, const Format& word) {
  Wide rest(wide), cut(wide), bound(wide);
  Judge word_judge(word, wide);
  const auto entries = {std::pair(&matrix.re, &slices.re), std::pair(&matrix.im, &slices.im)};
  for (std::size_t i = 0; i < matrix.free; ++i) {
    const int exponent = exponent_judged(matrix, i);
    ASSERT_EQ(slices.exponents[i], exponent) << "group " << i;
    mpfr_set_si_2exp(bound.get(), 1, exponent - static_cast<int>(slices.count) * (slices.bits + 1),
                     MPFR_RNDN);
    for (const auto& [values, planes] : entries)
      for (std::size_t k = 0; k < matrix.depth; ++k) {
        const double a = (*values)[matrix.at(k, i)];
        mpfr_set_d(rest.get(), a, MPFR_RNDN);
        for (std::size_t s = 0; s < slices.count; ++s) {
          const long grid = exponent - slices.bits - static_cast<long>(s) * (slices.bits + 1);
          mpfr_mul_2si(cut.get(), rest.get(), -grid, MPFR_RNDN);
          mpfr_roundeven(cut.get(), cut.get());
          const double integer = mpfr_get_d(cut.get(), MPFR_RNDN);
          ASSERT_LE(std::fabs(integer), std::ldexp(1.0, slices.bits));
          mpfr_mul_2si(cut.get(), cut.get(), grid, MPFR_RNDN);
          ASSERT_EQ(mpfr_sub(rest.get(), rest.get(), cut.get(), MPFR_RNDN), 0);

          const double slice = static_cast<double>((*planes)[slices.at(matrix, s, k, i)]);
          ASSERT_EQ(slice, integer) << "slice " << s << " of " << show(a) << " at (" << k << ", "
                                    << i << "), E = " << exponent << ", bits = " << slices.bits;
          ASSERT_EQ(slice, word_judge(Operation::identity, Rounding::rne, slice))
              << "no " << to_string(word);
        }
        ASSERT_LE(mpfr_cmpabs(rest.get(), bound.get()), 0)
            << show(a) << " leaves " << mpfr_get_d(rest.get(), MPFR_RNDN);
      }
  }
}

}  // namespace

TEST(GroupExponents, AreThoseOfTheLeastPowersOfTwoAbove) {
  const double above_one = 1 + 0x1p-52;
  const std::vector<double> largest = {0,         1,           above_one,
                                       0x1p-1074, 0x1.8p-1073, 0x1p-1022,
                                       0x1p1023,  -2,          std::numeric_limits<double>::max()};
  const std::vector<int> expected = {0, 0, 1, -1074, -1072, -1022, 1023, 1, 1024};
  const std::vector<double> zeros(largest.size());
  std::vector<int> exponents(largest.size());
  group_exponents({zeros.data(), largest.data(), 9, 1}, 1, 9, exponents.data());
  EXPECT_EQ(exponents, expected);
  group_exponents({largest.data(), zeros.data(), 1, 9}, 9, 1, exponents.data());
  EXPECT_EQ(exponents[0], 1024);
}

TEST(Slices, AreWhatTheDefinitionSaysForEverySizeOfTheData) {
  std::mt19937_64 random(1);
  for (const int lowest : {-1074, -1040, -400, -30, 0, 300, 1000, 1016})
    for (const int bits : {1, 6, 8}) {
      SCOPED_TRACE(::testing::Message() << "exponents from " << lowest << ", bits " << bits);
      const Matrix matrix = random_matrix(9, 5, lowest, lowest > 1000 ? 7 : 23, random);
      for (const std::size_t count : {1u, 3u, 7u})
        expect_slices_as_defined(matrix, Slices(matrix, count, bits, bf16), bf16);
    }
}

TEST(Slices, AreTheSameForEveryLayoutAndLength) {
  std::mt19937_64 random(2);
  for (const bool k_first : {false, true})
    for (const bool out_k_first : {false, true})
      for (const auto& [depth, free] : {std::pair<std::size_t, std::size_t>{3, 300}, {300, 3}}) {
        Matrix matrix = random_matrix(depth, free, -8, 16, random);
        matrix.k_first = k_first;
        for (const std::size_t step : {1u, 2u}) {
          SCOPED_TRACE(::testing::Message() << k_first << out_k_first << step);
          expect_slices_as_defined(matrix, Slices(matrix, 4, 7, bf16, out_k_first, step), bf16);
        }
      }
}

TEST(Slices, OfFp16HoldElevenBits) {
  std::mt19937_64 random(3);
  const Matrix matrix = random_matrix(16, 4, -20, 30, random);
  expect_slices_as_defined(matrix, Slices(matrix, 5, 11, fp16), fp16);
}

TEST(Slices, OfEveryTieGoToTheEvenNeighbour) {
  // All multiples of 2^-12 in [-1, 1]: every tie of slices of 3 and 4 bits, first and second.
  Matrix matrix{.depth = 8193, .free = 1};
  for (std::size_t k = 0; k < matrix.depth; ++k) {
    matrix.re[k] = std::ldexp(static_cast<double>(k) - 4096, -12);
    matrix.im[k] = -matrix.re[k] / 3;
  }
  for (const int bits : {3, 4})
    expect_slices_as_defined(matrix, Slices(matrix, 2, bits, bf16), bf16);
}

TEST(SliceTruncation, IsReached) {
  for (const int bits : {4, 8})
    for (const std::size_t count : {1u, 2u, 5u}) {
      Matrix matrix{.depth = 2, .free = 1};
      matrix.re = {1, slice_truncation(count, bits)};  // half a step of the last grid
      const Slices slices(matrix, count, bits, bf16);
      for (std::size_t s = 0; s < count; ++s)
        EXPECT_EQ(slices.re[slices.at(matrix, s, 1, 0)], 0) << count << " slices";
      EXPECT_EQ(slice_truncation(count, bits),
                std::ldexp(1.0, -static_cast<int>(count) * (bits + 1)));
    }
}

TEST(Slices, OfAGroupWithANanOrAnInfinityAreNanAndTheOthersAreNot) {
  using Limits = std::numeric_limits<double>;
  for (const double bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()})
    for (const bool k_first : {false, true})
      for (const bool in_im : {false, true}) {
        Matrix matrix{.depth = 20, .free = 3};
        matrix.k_first = k_first;
        matrix.re.assign(60, 1.5);
        matrix.im.assign(60, std::numeric_limits<double>::max());
        (in_im ? matrix.im : matrix.re)[matrix.at(4, 1)] = bad;
        const Slices slices(matrix, 2, 8, bf16);
        EXPECT_EQ(slices.exponents, (std::vector<int>{1024, 0, 1024}));
        for (std::size_t k = 0; k < 20; ++k)
          for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t s = 0; s < 2; ++s)
              EXPECT_EQ(std::isnan(slices.re[slices.at(matrix, s, k, i)]), i == 1);
      }
}

TEST(Slices, OfZerosAreZeros) {
  const Matrix matrix{.depth = 3, .free = 2};
  const Slices slices(matrix, 2, 8, bf16);
  EXPECT_EQ(slices.re, std::vector<float>(12));
  EXPECT_EQ(slices.exponents, std::vector<int>(2));
}

TEST(Slices, ThatAWordCannotHoldAreRefused) {
  Matrix matrix{.depth = 1, .free = 1};
  matrix.re = {1};
  EXPECT_THROW(Slices(matrix, 0, 8, bf16), InputError) << "no slices";
  EXPECT_THROW(Slices(matrix, 1, 9, bf16), InputError) << "more bits than bf16 has";
  EXPECT_THROW(Slices(matrix, 101, 8, bf16), InputError) << "beyond the range of the constants";
  EXPECT_NO_THROW(Slices(matrix, 100, 8, bf16));
  EXPECT_THROW(Slices(matrix, 1, 3, Format{3, -2, 2}), InputError) << "8 is no value";
  EXPECT_NO_THROW(Slices(matrix, 3, 8, fp16)) << "integers always fit";
}

TEST(SliceBits, AreThoseForWhichEveryPsumIsExact) {
  const std::vector<std::pair<std::size_t, int>> published = {
      {64, 18}, {128, 17}, {256, 16}, {512, 15}, {1024, 14}, {2048, 13}, {4096, 12}};
  for (const auto& [depth, both] : published) {
    EXPECT_EQ(exact_product_bits(depth, 1), both) << "K = " << depth;
    EXPECT_EQ(exact_product_bits(depth, 2), both - 1) << "K = " << depth;
    EXPECT_EQ(exact_product_bits(depth - 1, 1), both) << "K = " << depth - 1;
    EXPECT_EQ(exact_product_bits(depth + 1, 1), both - 1) << "K = " << depth + 1;
    for (int total = 2; total <= 24; ++total)
      EXPECT_EQ(slices_sum_exactly(depth, 1, 1, total - 1), total <= both);
  }
  EXPECT_EQ(exact_product_bits(std::size_t{1} << 24, 1), 0);
  EXPECT_EQ(exact_product_bits(std::size_t{1} << 24, 2), -1);
  EXPECT_EQ(exact_product_bits(1024, 1, 13), 3) << "an accumulator of 13 bits";
}

TEST(SliceBits, GoToTheFactorFirstAndNeverBeyondTheWord) {
  EXPECT_EQ(exact_slice_bits(512, 1, 24, true), 8);
  EXPECT_EQ(exact_slice_bits(512, 1, 24, false), 7);
  EXPECT_EQ(exact_slice_bits(4096, 1, 24, true), 6);
  EXPECT_EQ(exact_slice_bits(64, 1, 24, true), 8) << "bf16 holds no more";
  EXPECT_EQ(exact_slice_bits(64, 1, 24, true, fp16), 9);
  EXPECT_EQ(exact_slice_bits(std::size_t{1} << 23, 1, 24, true), 0) << "nothing left for the data";
  EXPECT_EQ(exact_slice_bits(std::size_t{1} << 22, 1, 24, false), 1);
}

TEST(SliceProducts, KeptAreThoseOfTheLargestOrders) {
  for (std::size_t slices = 1; slices <= 8; ++slices)
    EXPECT_EQ(kept_slice_products(slices, slices).size(), slices * (slices + 1) / 2);
  EXPECT_EQ(kept_slice_products(5, 5).size(), 15u);
  EXPECT_EQ(kept_slice_products(6, 6).size(), 21u);
  const std::vector<SplitTerm> uneven = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}};
  EXPECT_EQ(kept_slice_products(2, 3), uneven);
}

}  // namespace fftprec::testing

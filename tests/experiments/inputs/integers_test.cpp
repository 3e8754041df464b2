/// The input `integers`: its ranges, its patterns, its law and its names.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/support/error_text.hpp"

namespace fftprec::testing {
namespace {

AlignedVector<double> digits_of(const std::string& input, std::size_t n, std::size_t batch = 1,
                                std::uint64_t seed = 1) {
  const ComplexArray<double> x = make_input(input, n, batch, seed);
  EXPECT_TRUE(std::ranges::all_of(x.im, [](double value) { return value == 0; })) << input;
  EXPECT_TRUE(std::ranges::all_of(x.re, [](double value) { return value == std::trunc(value); }))
      << input;
  return x.re;
}

/// Expects every whole number of the range, and no other, equally often (chi square of 15 degrees
/// of freedom or fewer; 60 has a probability of 2e-7).
void expect_uniform(const std::string& input, double least, double greatest) {
  const AlignedVector<double> x = digits_of(input, 20000);
  std::map<double, double> counts;
  for (const double value : x) counts[value] += 1;
  const double values = greatest - least + 1;
  ASSERT_EQ(static_cast<double>(counts.size()), values) << input;
  EXPECT_EQ(counts.begin()->first, least) << input;
  EXPECT_EQ(counts.rbegin()->first, greatest) << input;
  const double each = 20000 / values;
  double chi_square = 0;
  for (const auto& [value, count] : counts) chi_square += (count - each) * (count - each) / each;
  EXPECT_LT(chi_square, 60) << input;
}

TEST(Integers, AreUniformOverTheirRange) {
  expect_uniform("integers:bits=1", -1, 0);
  expect_uniform("integers:bits=4", -8, 7);
  expect_uniform("integers:bits=4:sign=unsigned", 0, 15);
  expect_uniform("integers:mod=7", -3, 3);
  expect_uniform("integers:mod=10", -5, 4);
  expect_uniform("integers:mod=7:sign=unsigned", 0, 6);
}

TEST(Integers, UseAllBitsOfWideRanges) {
  for (const auto& [input, least, greatest] :
       {std::tuple{"integers:bits=53", -0x1p52, 0x1p52 - 1},
        {"integers:bits=53:sign=unsigned", 0.0, 0x1p53 - 1},
        {"integers:mod=9007199254740992", -0x1p52, 0x1p52 - 1}}) {
    const AlignedVector<double> x = digits_of(input, 4096);
    const auto [low, high] = std::ranges::minmax(x);
    EXPECT_GE(low, least) << input;
    EXPECT_LE(high, greatest) << input;
    EXPECT_LT(low, least + (greatest - least) / 256) << input;
    EXPECT_GT(high, greatest - (greatest - least) / 256) << input;
    const auto odd =
        std::ranges::count_if(x, [](double value) { return std::fmod(value, 2) != 0; });
    EXPECT_NEAR(static_cast<double>(odd), 2048, 5 * 32) << input;
  }
}

/// Digit j of a number modulo 2^E - 1 has ceil(E (j+1)/n) - ceil(E j/n) bits.
TEST(Integers, OfAnExponentHaveTheBitsOfTheirDigit) {
  constexpr std::size_t n = 12;
  constexpr std::uint64_t exponent = 67;
  const AlignedVector<double> most =
      digits_of("integers:exponent=67:sign=unsigned:pattern=limit", n, 2);
  const AlignedVector<double> balanced = digits_of("integers:exponent=67:pattern=alternating", n);

  std::uint64_t bits_in_all = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const std::uint64_t bits = (exponent * (j + 1) + n - 1) / n - (exponent * j + n - 1) / n;
    bits_in_all += bits;
    EXPECT_EQ(most[j], std::ldexp(1.0, static_cast<int>(bits)) - 1) << "digit " << j;
    EXPECT_EQ(most[n + j], most[j]) << "digit " << j << " of the second item";
    const double half = std::ldexp(1.0, static_cast<int>(bits) - 1);
    EXPECT_EQ(balanced[j], j % 2 == 0 ? half - 1 : -half) << "digit " << j;
  }
  EXPECT_EQ(bits_in_all, exponent);
}

TEST(Integers, HavePatternsAtTheirLimits) {
  EXPECT_EQ(digits_of("integers:bits=3:pattern=limit", 3), (AlignedVector<double>{-4, -4, -4}));
  EXPECT_EQ(digits_of("integers:bits=3:sign=unsigned:pattern=limit", 2),
            (AlignedVector<double>{7, 7}));
  EXPECT_EQ(digits_of("integers:bits=3:pattern=alternating", 3, 2),
            (AlignedVector<double>{3, -4, 3, 3, -4, 3}));
  EXPECT_EQ(digits_of("integers:mod=5:sign=unsigned:pattern=alternating", 4),
            (AlignedVector<double>{4, 0, 4, 0}));
  const AlignedVector<double> signs = digits_of("integers:bits=3:pattern=signs", 10000);
  const auto high = std::ranges::count(signs, 3.0);
  EXPECT_EQ(high + std::ranges::count(signs, -4.0), 10000);
  EXPECT_NEAR(static_cast<double>(high), 5000, 5 * 50);
}

TEST(Integers, FollowTheirSeed) {
  EXPECT_EQ(digits_of("integers", 64, 1, 3), digits_of("integers", 64, 1, 3));
  EXPECT_NE(digits_of("integers", 64, 1, 3), digits_of("integers", 64, 1, 4));
}

TEST(Integers, TakeTheSecondOperandFromInner) {
  constexpr std::size_t n = 8;
  const auto operands = [](const std::string& input) {
    return transform_named("product").make_input(input_named(input), n, 1, 5).re;
  };
  const auto part = [](const AlignedVector<double>& x, std::size_t first) {
    return AlignedVector<double>(x.begin() + static_cast<std::ptrdiff_t>(first),
                                 x.begin() + static_cast<std::ptrdiff_t>(first + n));
  };
  const auto both = operands("integers:bits=9");
  const auto other = operands("integers:bits=9:inner=integers:bits=1:pattern=limit");

  EXPECT_EQ(part(both, 0), digits_of("integers:bits=9", n, 1, 5));
  EXPECT_EQ(part(both, n), digits_of("integers:bits=9", n, 1, 6));
  EXPECT_EQ(part(other, 0), part(both, 0));
  EXPECT_EQ(part(other, n), AlignedVector<double>(n, -1));
}

TEST(Integers, HaveOneCanonicalName) {
  EXPECT_EQ(canonical_input("integers"), "integers");
  EXPECT_EQ(canonical_input("integers:sign=balanced:bits=16:inner=itself"), "integers");
  EXPECT_EQ(canonical_input("integers:pattern=limit:bits=8"), "integers:bits=8:pattern=limit");
  EXPECT_EQ(canonical_input("integers:bits=8:inner=uniform:high=1.0:low=-1"),
            "integers:bits=8:inner=uniform");
}

TEST(Integers, HaveAMeanWhereTheyAreNotBalanced) {
  for (const char* name :
       {"integers:sign=unsigned", "integers:bits=1", "integers:bits=3", "integers:mod=2",
        "integers:mod=8", "integers:pattern=signs:sign=unsigned", "integers:inner=torch_rand",
        "integers:inner=integers:sign=unsigned"})
    EXPECT_TRUE(has_mean(name)) << name;
  for (const char* name : {"integers", "integers:bits=4", "integers:mod=3", "integers:mod=4096",
                           "integers:exponent=4096", "integers:pattern=signs",
                           "integers:inner=gaussian", "integers:sign=unsigned:pattern=limit"})
    EXPECT_FALSE(has_mean(name)) << name;
}

TEST(Integers, RejectWhatHasNoMeaning) {
  const auto text = [](const char* name) { return error_text([=] { input_named(name); }); };

  EXPECT_NE(text("integers:bits=54"), "no error");
  EXPECT_NE(text("integers:bits=0"), "no error");
  EXPECT_NE(text("integers:mod=0"), "no error");
  EXPECT_NE(text("integers:mod=9007199254740993"), "no error");
  EXPECT_NE(text("integers:pattern=none"), "no error");
  EXPECT_NE(text("integers:inner=nothing"), "no error");
  EXPECT_EQ(text("integers:mod=5:exponent=500"),
            "input integers: mod and exponent each set the range, so one of them is too many");
  const auto not_applicable = [](const char* name, std::size_t n) {
    try {
      make_input(name, n, 1, 1);
    } catch (const NotApplicable& reason) {
      return std::string(reason.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(not_applicable("integers:exponent=7", 8),
            "input integers: exponent=7 gives the n = 8 digits 0 to 1 bits, and a digit has 1 to "
            "53");
  EXPECT_EQ(not_applicable("integers:exponent=107", 2),
            "input integers: exponent=107 gives the n = 2 digits 53 to 54 bits, and a digit has 1 "
            "to 53");
  EXPECT_EQ(not_applicable("integers:exponent=106", 2), "no error");
}

}  // namespace
}  // namespace fftprec::testing

/// The array form equals the scalar form, bit for bit, for every instruction set.
#include "arith/kernels/round_array.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "tests/support/mpfr_judge.hpp"

namespace fftprec::testing {
namespace {

constexpr Format formats[] = {bf16,
                              fp16,
                              tf32,
                              fp32,
                              fp8_e4m3,
                              fp8_e4m3fn,
                              fp8_e5m2,
                              Format{5, -14, 15, false, Overflow::saturate},
                              Format{24, -126, 127, false},
                              Format{2, -120, 100}};

/// Any bit patterns: NaNs, infinities and subnormals among them, most of moderate exponents.
template <class Real>
std::vector<Real> patterns(std::size_t size) {
  using Bits = std::conditional_t<std::is_same_v<Real, float>, std::uint32_t, std::uint64_t>;
  constexpr int fraction = std::is_same_v<Real, float> ? 23 : 52;
  constexpr int exponents = 8 * sizeof(Bits) - 1 - fraction;
  std::mt19937_64 random(4);
  std::vector<Real> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    auto bits = static_cast<Bits>(random());
    if (i % 4 == 1) bits &= ~((Bits{1} << (fraction - 8)) - 1);  // values and ties
    if (i % 4 == 2) {
      const Bits bias = (Bits{1} << (exponents - 1)) - 1;
      bits = (bits & ~(((Bits{1} << exponents) - 1) << fraction)) |
             ((bias - 24 + static_cast<Bits>(random() % 48)) << fraction);
    }
    if (i % 97 == 3) bits &= Bits{1} << (8 * sizeof(Bits) - 1);         // zeros
    if (i % 97 == 4) bits |= ((Bits{1} << exponents) - 1) << fraction;  // NaNs
    values[i] = __builtin_bit_cast(Real, bits);
  }
  return values;
}

template <class Real>
bool same_bits(const std::vector<Real>& a, const std::vector<Real>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

template <class Real>
class RoundArray : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;

class RealName {
 public:
  template <class Real>
  static std::string GetName(int) {
    return std::is_same_v<Real, float> ? "Float" : "Double";
  }
};
TYPED_TEST_SUITE(RoundArray, Reals, RealName);

TYPED_TEST(RoundArray, EqualsTheScalarFormOnEveryInstructionSet) {
  const std::vector<TypeParam> in = patterns<TypeParam>(5003);
  for (const Format& format : formats)
    for (const Rounding rounding : deterministic) {
      std::vector<TypeParam> expected(in.size());
      for (std::size_t i = 0; i < in.size(); ++i)
        expected[i] = static_cast<TypeParam>(round(in[i], format, rounding));

      for (const Isa isa : available_isas()) {
        SCOPED_TRACE(to_string(format) + " " + std::string(name_of(rounding)) + " " +
                     std::string(name_of(isa)) + ", seed 4");
        std::vector<TypeParam> apart(in.size());
        std::vector<TypeParam> in_place = in;
        round_array(std::span<const TypeParam>(in), std::span<TypeParam>(apart), format, rounding,
                    isa);
        round_array(std::span<const TypeParam>(in_place), std::span<TypeParam>(in_place), format,
                    rounding, isa);

        EXPECT_TRUE(same_bits(apart, expected));
        EXPECT_TRUE(same_bits(in_place, expected));
      }
    }
}

TYPED_TEST(RoundArray, StochasticFormCountsElementsFromTheFirstCounter) {
  const std::vector<TypeParam> in = patterns<TypeParam>(1001);
  const StochasticRounding stochastic{.bits = 12, .seed = 9, .stream = 2};
  const std::uint64_t first = (std::uint64_t{1} << 32) - 500;
  for (const Format& format : formats)
    for (const Isa isa : available_isas()) {
      std::vector<TypeParam> expected(in.size());
      for (std::size_t i = 0; i < in.size(); ++i)
        expected[i] =
            static_cast<TypeParam>(round_stochastic(in[i], format, stochastic, first + i));
      std::vector<TypeParam> out(in.size());
      std::vector<TypeParam> in_place = in;

      round_array(std::span<const TypeParam>(in), std::span<TypeParam>(out), format, Rounding::sr,
                  isa, stochastic, first);
      round_array(std::span<const TypeParam>(in_place), std::span<TypeParam>(in_place), format,
                  Rounding::sr, isa, stochastic, first);

      EXPECT_TRUE(same_bits(out, expected)) << to_string(format) << " " << name_of(isa);
      EXPECT_TRUE(same_bits(in_place, expected)) << to_string(format) << " " << name_of(isa);
    }
}

TYPED_TEST(RoundArray, ArraysBeyondTheCachesRoundTheSame) {
  // Above the size from which outputs are written around the caches, at an odd offset and length.
  const std::size_t size = (std::size_t{65} << 20) / sizeof(TypeParam) + 13;
  const std::vector<TypeParam> period = patterns<TypeParam>(4099);
  std::vector<TypeParam> in(size);
  for (std::size_t i = 0; i < size; ++i) in[i] = period[i % period.size()];
  std::vector<TypeParam> rounded(period.size());
  for (std::size_t i = 0; i < period.size(); ++i)
    rounded[i] = static_cast<TypeParam>(round(period[i], fp16, Rounding::rne));
  std::vector<TypeParam> out(size + 3, TypeParam(7));

  round_array(std::span<const TypeParam>(in), std::span<TypeParam>(out).subspan(1, size), fp16,
              Rounding::rne);

  std::size_t wrong = 0;
  for (std::size_t i = 0; i < size; ++i)
    wrong += std::memcmp(&out[i + 1], &rounded[i % period.size()], sizeof(TypeParam)) != 0;
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(out[0], TypeParam(7));
  EXPECT_EQ(out[size + 1], TypeParam(7));
}

TYPED_TEST(RoundArray, Fp64AndEmptyArraysAreCopies) {
  const std::vector<TypeParam> in = patterns<TypeParam>(100);
  std::vector<TypeParam> out(100);
  round_array(std::span<const TypeParam>(in), std::span<TypeParam>(out), fp64, Rounding::rz);
  EXPECT_TRUE(same_bits(in, out));
  round_array(std::span<const TypeParam>(), std::span<TypeParam>(), bf16, Rounding::rne);
}

TYPED_TEST(RoundArray, BadArgumentsAreRefused) {
  std::vector<TypeParam> in(4);
  std::vector<TypeParam> out(3);
  const std::span<const TypeParam> from(in);
  const std::span<TypeParam> same(in);
  EXPECT_THROW(round_array(from, std::span<TypeParam>(out), bf16, Rounding::rne), InputError);
  EXPECT_THROW(round_array(from, same, bf16, Rounding::sr), InputError);
  EXPECT_THROW(round_array(from, same, Format{1, 0, 1}, Rounding::rne), InputError);
  for (const StochasticRounding& random :
       {StochasticRounding{.bits = 0}, StochasticRounding{.bits = 54},
        StochasticRounding{.bits = 53, .variant = Stochastic::c}})
    EXPECT_THROW(round_array(from, same, bf16, Rounding::sr, best_isa(), random), InputError);
}

TEST(RoundArrayOfFloats, RefusesFormatsWhoseValuesAreNotFloats) {
  std::vector<float> values(4);
  for (const Format& format : {Format{25, -126, 127}, Format{8, -127, 100}, Format{8, -100, 128}})
    EXPECT_THROW(round_array(values, values, format, Rounding::rne), InputError);
}

}  // namespace
}  // namespace fftprec::testing

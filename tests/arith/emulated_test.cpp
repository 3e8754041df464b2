/// Emulated<Format, Rounding> for every format with a name, and for those at the edges of the
/// routes by which it rounds once: the widest products that fit, precisions that need error-free
/// pairs, missing subnormals, saturation.
#include "arith/formats/emulated.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

#include "tests/arith/operations_check.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {

namespace {

constexpr std::uint64_t operands_seed = 1;

template <Format F>
void check_every_rounding(int samples) {
  check_operations(operations_of<Emulated<F, Rounding::rne>>(), samples, operands_seed);
  check_operations(operations_of<Emulated<F, Rounding::rna>>(), samples, operands_seed);
  check_operations(operations_of<Emulated<F, Rounding::rz>>(), samples, operands_seed);
  check_operations(operations_of<Emulated<F, Rounding::ru>>(), samples, operands_seed);
  check_operations(operations_of<Emulated<F, Rounding::rd>>(), samples, operands_seed);
  check_operations(operations_of<Emulated<F, Rounding::odd>>(), samples, operands_seed);
}

TEST(Emulated, Bf16RoundsEveryOperationOnce) { check_every_rounding<bf16>(3000); }
TEST(Emulated, Fp16RoundsEveryOperationOnce) { check_every_rounding<fp16>(3000); }
TEST(Emulated, Tf32RoundsEveryOperationOnce) { check_every_rounding<tf32>(3000); }
TEST(Emulated, Fp32RoundsEveryOperationOnce) { check_every_rounding<fp32>(3000); }
TEST(Emulated, Fp64RoundsEveryOperationOnce) {
  check_operations(operations_of<Fp64>(), 500, operands_seed);
}
TEST(Emulated, Fp8RoundsEveryOperationOnce) {
  check_every_rounding<fp8_e4m3>(1000);
  check_every_rounding<fp8_e4m3fn>(1000);
  check_every_rounding<fp8_e5m2>(1000);
}

TEST(Emulated, Fma15Times19Plus2ToTheMinus60Is286InBf16) {
  static_assert(static_cast<double>(fma(Bf16(15), Bf16(19), Bf16(0x1p-60))) == 286);
  EXPECT_EQ(static_cast<double>(Bf16(std::fma(15.0, 19.0, 0x1p-60))), 284);  // rounded twice
}

TEST(Emulated, ConstructionFromDoubleDoesNotPassThroughFloat) {
  const double x = 1 + 0x1p-8 + 0x1p-40;  // a float would make a tie of it
  EXPECT_EQ(static_cast<double>(Bf16(x)), 1 + 0x1p-7);
  EXPECT_EQ(static_cast<double>(Bf16(static_cast<float>(x))), 1);
  EXPECT_EQ(static_cast<double>(Bf16((1 << 24) + (1 << 16) + 1)), 0x1p24 + 0x1p17);
  EXPECT_EQ(static_cast<double>(Bf16(Emulated<Format{50, -126, 127}>(x))), 1 + 0x1p-7);
}

TEST(Emulated, IsItsCarrierInMemory) {
  static_assert(std::is_trivial_v<Tf32> && sizeof(Tf32) == sizeof(float));
  static_assert(std::is_trivial_v<Fp8E4m3fn> && std::is_standard_layout_v<Fp8E4m3fn>);
  static_assert(std::is_same_v<Bf16::carrier_type, float>);
  static_assert(std::is_same_v<Emulated<Format{25, -126, 127}>::carrier_type, double>);
  static_assert(std::is_same_v<Emulated<fp32, Rounding::rz>::carrier_type, float>);
  EXPECT_EQ(Bf16::from_carrier(1.25f).carrier(), 1.25f);
}

TEST(Emulated, ComparesLikeNumbers) {
  const Bf16 one(1);
  const Bf16 two(2);
  const Bf16 nan(std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(one < two && two > one && one <= one && one >= one && one == one && one != two);
  EXPECT_FALSE(nan == nan || nan < one || nan > one || nan <= one || nan >= one);
  EXPECT_TRUE(Bf16(0) == Bf16(-0.0));
}

TEST(Emulated, NegationAndAbsAreExactAndKeepToTheSign) {
  EXPECT_TRUE(same_value(static_cast<double>(-Bf16(0)), -0.0));
  EXPECT_TRUE(same_value(static_cast<double>(abs(Bf16(-0.0))), 0.0));
  EXPECT_TRUE(same_value(static_cast<double>(abs(Emulated<bf16, Rounding::rd>(-0.0))), 0.0));
  EXPECT_TRUE(same_value(static_cast<double>(abs(Fp16(-3))), 3));
  EXPECT_TRUE(same_value(static_cast<double>(+Fp16(-3)), -3));
}

TEST(Emulated, CompoundAssignmentsAreTheOperations) {
  Fp16 x(3);
  x += Fp16(0.1);
  x *= Fp16(7);
  x -= Fp16(1e-3);
  x /= Fp16(9);
  EXPECT_EQ(x, (((Fp16(3) + Fp16(0.1)) * Fp16(7)) - Fp16(1e-3)) / Fp16(9));
}

constexpr std::uint64_t custom_seed = 2;

template <Format F>
void check_three_roundings(int samples) {
  check_operations(operations_of<Emulated<F, Rounding::rne>>(), samples, custom_seed);
  check_operations(operations_of<Emulated<F, Rounding::rd>>(), samples, custom_seed);
  check_operations(operations_of<Emulated<F, Rounding::odd>>(), samples, custom_seed);
}

TEST(EmulatedCustom, PrecisionsAroundTheRoutesRoundOnce) {
  check_three_roundings<Format{2, -3, 3}>(500);
  check_three_roundings<Format{11, -116, 127}>(1500);  // the last product through float
  check_three_roundings<Format{12, -126, 127}>(1500);
  check_three_roundings<Format{25, -450, 450}>(1500);
  check_three_roundings<Format{26, -450, 450}>(1500);
}

TEST(EmulatedCustom, PrecisionsThatNeedPairsRoundOnce) {
  check_three_roundings<Format{27, -126, 127}>(1500);
  check_three_roundings<Format{37, -450, 450}>(1500);
  check_three_roundings<Format{50, -450, 450}>(1500);
}

TEST(EmulatedCustom, FormatsWithoutSubnormalsOrInfinitiesRoundOnce) {
  check_three_roundings<Format{8, -126, 127, false}>(2000);
  check_three_roundings<Format{8, -126, 127, true, Overflow::saturate}>(1000);
  check_three_roundings<Format{11, -126, 127, false, Overflow::nan}>(1000);
  check_three_roundings<Format{5, -14, 15, false, Overflow::saturate}>(1000);
  check_three_roundings<Format{24, -126, 127, false}>(1000);
}

}  // namespace

}  // namespace fftprec::testing

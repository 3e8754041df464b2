/// Types at the edges of the routes by which Emulated rounds once: the widest products that fit,
/// precisions that need error-free pairs, missing subnormals, saturation.
#include <gtest/gtest.h>

#include "tests/arith/operations_check.hpp"

namespace fftprec::testing {
namespace {

constexpr std::uint64_t seed = 2;

template <Format F>
void check_three_roundings(int samples) {
  check_operations(operations_of<Emulated<F, Rounding::rne>>(), samples, seed);
  check_operations(operations_of<Emulated<F, Rounding::rd>>(), samples, seed);
  check_operations(operations_of<Emulated<F, Rounding::odd>>(), samples, seed);
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

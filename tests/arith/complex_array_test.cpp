/// Functions of whole arrays: which part gets which value.
#include "arith/formats/complex_array.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace fftprec::testing {

namespace {

ComplexArray<double> sample() {
  ComplexArray<double> x(3);
  x.re = {1 + 0x1p-24, 2, -3};
  x.im = {10, 20 - 0x1p-30, 30};
  return x;
}

/// In how many places twenty vectors of one size stand, each freed before the next, with something
/// small kept from the time of each.
template <class Vector>
std::size_t places_of_twenty() {
  std::set<const void*> places;
  std::vector<std::unique_ptr<char[]>> kept;
  for (int i = 0; i < 20; ++i) {
    const Vector x(1 << 14);
    places.insert(x.data());
    kept.push_back(std::make_unique<char[]>(40));
  }
  return places.size();
}

}  // namespace

TEST(AlignedVector, StartsOnACacheLine) {
  for (const std::size_t size : {1u, 3u, 100u, 5u << 20}) {
    const AlignedVector<float> x(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data()) % 64, 0u) << size;
  }
}

TEST(AlignedVector, TakesThePlaceOfAFreedOneAsOthersDo) {
  EXPECT_LE(places_of_twenty<AlignedVector<float>>(), places_of_twenty<std::vector<float>>());
}

TEST(ArrayFunctions, ConvertEachPartWithOneRounding) {
  const ComplexArray<float> x = converted<float>(sample());

  EXPECT_EQ(x.re, (AlignedVector<float>{1, 2, -3}));  // a tie goes to the even one
  EXPECT_EQ(x.im, (AlignedVector<float>{10, 20, 30}));
  EXPECT_EQ(converted<double>(x).im[1], 20);
}

TEST(ArrayFunctions, TakeAPartFromItsFirstElementOn) {
  const ComplexArray<double> part = part_of(sample(), 1, 2);

  EXPECT_EQ(part.re, (AlignedVector<double>{2, -3}));
  EXPECT_EQ(part.im, (AlignedVector<double>{20 - 0x1p-30, 30}));
  EXPECT_EQ(part_of(sample(), 3, 0).size(), 0u);
}

TEST(ArrayFunctions, SubtractTheSecondFromTheFirst) {
  ComplexArray<double> ones(3);
  ones.re = {1, 1, 1};
  ones.im = {2, 2, 2};

  const ComplexArray<double> left = difference(sample(), ones);

  EXPECT_EQ(left.re, (AlignedVector<double>{0x1p-24, 1, -4}));
  EXPECT_EQ(left.im, (AlignedVector<double>{8, 18 - 0x1p-30, 28}));
}

}  // namespace fftprec::testing

/// Functions of whole arrays: which part gets which value.
#include "arith/formats/complex_array.hpp"

#include <gtest/gtest.h>

namespace fftprec::testing {

namespace {

ComplexArray<double> sample() {
  ComplexArray<double> x(3);
  x.re = {1 + 0x1p-24, 2, -3};
  x.im = {10, 20 - 0x1p-30, 30};
  return x;
}

}  // namespace

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

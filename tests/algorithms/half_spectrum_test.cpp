/// Cutting and extending spectra of real data, element by element.
#include "algorithms/transforms/half_spectrum.hpp"

#include <gtest/gtest.h>

namespace fftprec::testing {

namespace {

/// Element i of the array is first + i, and in the imaginary part 100 more.
ComplexArray<float> counted(std::size_t size, float first) {
  ComplexArray<float> x(size);
  for (std::size_t i = 0; i < size; ++i) {
    x.re[i] = first + static_cast<float>(i);
    x.im[i] = x.re[i] + 100;
  }
  return x;
}

}  // namespace

TEST(TwoSided, MirrorsEachRowAndDropsWhatNoRealDataHave) {
  const ComplexArray<float> even = two_sided(counted(6, 1), 4);  // rows of 1, 2, 3 and 4, 5, 6
  EXPECT_EQ(even.re, (AlignedVector<float>{1, 2, 3, 2, 4, 5, 6, 5}));
  EXPECT_EQ(even.im, (AlignedVector<float>{0, 102, 0, -102, 0, 105, 0, -105}));

  const ComplexArray<float> odd = two_sided(counted(3, 1), 5);
  EXPECT_EQ(odd.re, (AlignedVector<float>{1, 2, 3, 3, 2}));
  EXPECT_EQ(odd.im, (AlignedVector<float>{0, 102, 103, -103, -102}));

  const ComplexArray<float> one = two_sided(counted(2, 1), 1);
  EXPECT_EQ(one.re, (AlignedVector<float>{1, 2}));
  EXPECT_EQ(one.im, (AlignedVector<float>{0, 0}));
}

TEST(OneSided, KeepsTheFirstHalfOfEachRow) {
  const ComplexArray<float> even = one_sided(counted(8, 1), 4);
  EXPECT_EQ(even.re, (AlignedVector<float>{1, 2, 3, 5, 6, 7}));
  EXPECT_EQ(even.im, (AlignedVector<float>{101, 102, 103, 105, 106, 107}));

  EXPECT_EQ(one_sided(counted(5, 1), 5).re, (AlignedVector<float>{1, 2, 3}));
  EXPECT_EQ(one_sided(counted(2, 1), 1).re, (AlignedVector<float>{1, 2}));
}

}  // namespace fftprec::testing

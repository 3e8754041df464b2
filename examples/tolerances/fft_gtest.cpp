/// GoogleTest: an FFT against the definition, with the tolerance of docs/tolerances.md.
#include <gtest/gtest.h>

#include "dft.hpp"

template <class T>
class MyFft : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(MyFft, Types);

TYPED_TEST(MyFft, ErrsNoMoreThanByRounding) {
  for (const std::size_t n : {16u, 128u, 1024u})
    for (const auto& x : test_data<TypeParam>(n))
      EXPECT_LE(fft_error(my_fft(x), x), fft_tolerance<TypeParam>(n)) << "n = " << n;
}

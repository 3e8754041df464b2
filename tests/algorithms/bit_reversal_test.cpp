/// Bit reversal, by number and of whole arrays.
#include "algorithms/fft/bit_reversal.hpp"

#include <gtest/gtest.h>

#include "arith/formats/complex_array.hpp"

namespace fftprec::testing {

TEST(BitReversal, ReversesTheBitsOfSmallNumbers) {
  EXPECT_EQ(bit_reversals(1), (std::vector<std::size_t>{0}));
  EXPECT_EQ(bit_reversals(2), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(bit_reversals(8), (std::vector<std::size_t>{0, 4, 2, 6, 1, 5, 3, 7}));
}

TEST(BitReversal, UndoesItself) {
  for (std::size_t size = 1; size <= 256; size *= 2)
    for (std::size_t i = 0; i < size; ++i)
      EXPECT_EQ(bit_reversed(bit_reversed(i, size), size), i) << "of " << size;
}

TEST(BitReversal, GathersIntoColumnsAndScattersBack) {
  constexpr std::size_t rows = 4, cols = 8, stride = 11;
  ComplexArray<float> x(rows * cols), matrix(rows * stride), back(rows * cols);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x.re[i] = static_cast<float>(i);
    x.im[i] = -static_cast<float>(i);
  }
  const View<float> data{x.re.data(), x.im.data(), 1, x.size(), x.size()};
  const View<float> columns{matrix.re.data(), matrix.im.data(), rows, cols, stride};
  const View<float> result{back.re.data(), back.im.data(), 1, x.size(), x.size()};

  gather_bit_reversed(data, columns, bit_reversals(cols));
  scatter_bit_reversed(columns, result, bit_reversals(cols));

  for (std::size_t g = 0; g < cols; ++g)
    for (std::size_t i = 0; i < rows; ++i) {
      const auto from = static_cast<float>(bit_reversed(g * rows + i, rows * cols));
      EXPECT_EQ(matrix.re[i * stride + g], from) << "row " << i << ", column " << g;
      EXPECT_EQ(matrix.im[i * stride + g], -from) << "row " << i << ", column " << g;
    }
  EXPECT_EQ(back, x);
}

}  // namespace fftprec::testing

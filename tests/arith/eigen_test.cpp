/// Eigen expressions in emulated numbers.
#include "arith/formats/eigen.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/same_value.hpp"

namespace fftprec::testing {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <class T>
Matrix<T> random_matrix(Eigen::Index rows, Eigen::Index cols, unsigned seed) {
  std::mt19937 random(seed);
  Matrix<T> matrix(rows, cols);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < cols; ++j)
      matrix(i, j) = T(static_cast<double>(random()) * 0x1p-31 - 1);
  return matrix;
}

template <class T>
Matrix<double> widened(const Matrix<T>& matrix) {
  return matrix.unaryExpr([](T x) { return static_cast<double>(x); });
}

template <class T>
class EigenScalar : public ::testing::Test {};
using Scalars = ::testing::Types<Bf16, Emulated<fp8_e5m2, Rounding::rz>>;
TYPED_TEST_SUITE(EigenScalar, Scalars);

TYPED_TEST(EigenScalar, LazyProductIsTheTripleLoopInAscendingOrderBitForBit) {
  const Matrix<TypeParam> a = random_matrix<TypeParam>(9, 40, 1);
  const Matrix<TypeParam> b = random_matrix<TypeParam>(40, 7, 2);

  const Matrix<TypeParam> product = a.lazyProduct(b);

  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      TypeParam sum = a(i, 0) * b(0, j);
      for (Eigen::Index k = 1; k < a.cols(); ++k) sum += a(i, k) * b(k, j);
      EXPECT_TRUE(same_value(static_cast<double>(product(i, j)), static_cast<double>(sum)))
          << i << ", " << j;
    }
}

TYPED_TEST(EigenScalar, MatrixProductStaysWithinTheBoundOfAnyOrder) {
  const Eigen::Index size = 40;
  const Matrix<TypeParam> a = random_matrix<TypeParam>(9, size, 3);
  const Matrix<TypeParam> b = random_matrix<TypeParam>(size, 7, 4);

  const Matrix<TypeParam> product = a * b;

  // Higham, ASNA 2nd ed., (3.13), with (1 + 2u)^k - 1 in place of gamma_k: it holds for any u, and
  // a directed rounding errs by up to 2u.
  const double u = unit_roundoff(TypeParam::format);
  double growth = 1;
  for (Eigen::Index k = 0; k < size; ++k) growth *= 1 + 2 * u;
  const Matrix<double> exact = widened<TypeParam>(a) * widened<TypeParam>(b);
  const Matrix<double> sizes = widened<TypeParam>(a).cwiseAbs() * widened<TypeParam>(b).cwiseAbs();
  const Matrix<double> error = (widened<TypeParam>(product) - exact).cwiseAbs();
  EXPECT_TRUE((error.array() <= (growth - 1) * sizes.array()).all());
  EXPECT_GT(error.maxCoeff(), u * u);  // it did run in the narrow type
}

TEST(EigenBf16, ProductRoundsWhereFloatDoesNot) {
  Matrix<Bf16> row(1, 3);
  row << Bf16(256), Bf16(1), Bf16(-256);
  const Matrix<Bf16> ones = Matrix<Bf16>::Constant(3, 1, Bf16(1));

  EXPECT_EQ(static_cast<double>(row.lazyProduct(ones)(0, 0)), 0);  // 256 + 1 = 256 in bf16
}

TEST(EigenBf16, NormsUseTheEmulatedSquareRoot) {
  Matrix<Bf16> row(1, 2);
  row << Bf16(4), Bf16(1);

  EXPECT_EQ(static_cast<double>(row.norm()), static_cast<double>(sqrt(Bf16(17))));
}

}  // namespace
}  // namespace fftprec::testing

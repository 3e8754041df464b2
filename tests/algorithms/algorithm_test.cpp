/// The algorithms themselves: the same template over wide, native and emulated arithmetics.
#include <gtest/gtest.h>

#include <boost/multiprecision/mpfr.hpp>
#include <cmath>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/arithmetic/scalar_arithmetic.hpp"
#include "algorithms/fft/dft_gemm.hpp"
#include "algorithms/fft/radix2.hpp"
#include "algorithms/theory/bounds.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/emulated.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/transforms.hpp"
#include "tests/algorithms/arithmetic_samples.hpp"
#include "tests/algorithms/test_roots.hpp"

namespace fftprec::testing {

namespace {

using SixtyDigits = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<60>,
                                                  boost::multiprecision::et_off>;

/// Error of the algorithm in 60 digits, where only its fp64 tables err.
template <template <class> class Algorithm>
double error_in_wide_arithmetic(std::size_t n, std::size_t batch, Direction direction) {
  const ComplexArray<double> x = normal_values(n * batch, 1);
  const ScalarArithmetic<SixtyDigits> arithmetic(fp64);
  const Algorithm<ScalarArithmetic<SixtyDigits>> algorithm(arithmetic, n, direction, exact_roots());
  ComplexArray<SixtyDigits> y = converted<SixtyDigits>(x);
  algorithm.transform(arithmetic, y);
  return truth::measure(converted<double>(y), truth::dft(x, n, direction), fp64).l2_rel;
}

}  // namespace

TEST(Radix2Dit, IsTheDftWhenNothingRounds) {
  for (const Direction direction : {Direction::forward, Direction::inverse})
    for (const std::size_t n : {1u, 2u, 4u, 8u, 32u, 128u, 1024u}) {
      const double tables_and_result =
          repeated_error(rounded_table_error(fp64), static_cast<std::size_t>(std::countr_zero(n))) +
          unit_roundoff(fp64);
      EXPECT_LE(error_in_wide_arithmetic<Radix2Dit>(n, 2, direction), tables_and_result)
          << "n = " << n << ", seed 1";
    }
}

TEST(DftGemm, IsTheDftWhenNothingRounds) {
  for (const Direction direction : {Direction::forward, Direction::inverse})
    for (const std::size_t n : {1u, 2u, 3u, 7u, 60u, 131u}) {
      const double tables_and_result =
          std::sqrt(static_cast<double>(n)) * rounded_table_error(fp64) + 2 * unit_roundoff(fp64);
      EXPECT_LE(error_in_wide_arithmetic<DftGemm>(n, 2, direction), tables_and_result)
          << "n = " << n << ", seed 1";
    }
}

/// The fast arithmetic and the plain one, over the same scalar, must agree in every bit.
template <class T>
void expect_same_bits(const char* mode) {
  using Real = typename T::carrier_type;
  for (const Direction direction : {Direction::forward, Direction::inverse})
    for (const std::size_t n : {1u, 2u, 16u, 64u, 512u}) {
      const ComplexArray<double> x = normal_values(2 * n, 2);
      const MachineArithmetic<Real> fast(resolve(mode_named(mode), machine_named("trn")));
      const ScalarArithmetic<T> plain(T::format);
      ComplexArray<Real> y = fast.stored(x);
      ComplexArray<T> expected = converted<T>(x);

      Radix2Dit<MachineArithmetic<Real>>(fast, n, direction, exact_roots()).transform(fast, y);
      Radix2Dit<ScalarArithmetic<T>>(plain, n, direction, exact_roots()).transform(plain, expected);

      for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_EQ(y.re[i], expected.re[i].carrier()) << mode << " n = " << n << ", output " << i;
        ASSERT_EQ(y.im[i], expected.im[i].carrier()) << mode << " n = " << n << ", output " << i;
      }
    }
}

TEST(MachineArithmetic, HasTheBitsOfTheScalarDefinition) {
  expect_same_bits<Bf16>("bf16");
  expect_same_bits<Fp32>("fast");
  expect_same_bits<Fp64>("double");
}

}  // namespace fftprec::testing

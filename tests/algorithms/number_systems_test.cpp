/// Arithmetic in number systems: every pair of 8-bit posits, whole FFTs against one written with a
/// number type whose results are found by searching all codes, and quires.
#include <cmath>

#include "algorithms/arithmetic/scalar_arithmetic.hpp"
#include "algorithms/fft/dft_gemm.hpp"
#include "algorithms/fft/radix2.hpp"
#include "tests/algorithms/transform_checks.hpp"

namespace fftprec::testing {
namespace {

/// The nearest 8-bit posit, by the values of all codes and of those with one bit more, which are
/// the borders.
double nearest_posit8(double x) {
  static const Format format = format_named("posit8");
  static const Format borders = format_named("posit9");
  if (x == 0) return 0;
  std::uint64_t code = 1;
  while (code < 127) {
    const double border = value_of_code(2 * code + 1, borders);
    if (std::fabs(x) < border || (std::fabs(x) == border && code % 2 == 0)) break;
    ++code;
  }
  return std::copysign(value_of_code(code, format), x);
}

/// 8-bit posits: sums and products are exact in double, for they span 48 binades and have 4 bits.
struct Posit8 {
  double value = 0;

  Posit8() = default;
  explicit Posit8(double x) : value(nearest_posit8(x)) {}
  explicit operator double() const { return value; }
  friend bool operator==(Posit8, Posit8) = default;
  friend Posit8 operator+(Posit8 a, Posit8 b) { return Posit8(a.value + b.value); }
  friend Posit8 operator-(Posit8 a, Posit8 b) { return Posit8(a.value - b.value); }
  friend Posit8 operator*(Posit8 a, Posit8 b) { return Posit8(a.value * b.value); }
  Posit8 operator-() const {
    Posit8 result;
    result.value = -value;
    return result;
  }
};

TEST(NumberSystems, AddAndMultiplyEveryPairOfPosits) {
  const Format format = format_named("posit8");
  const auto check = [&](const auto& arithmetic, auto zero) {
    using Real = decltype(zero);
    for (std::uint64_t a = 0; a < 256; ++a)
      for (std::uint64_t b = 0; b < 256; ++b) {
        if (a == 128 || b == 128) continue;
        const double x = value_of_code(a, format), y = value_of_code(b, format);
        Real re[3] = {static_cast<Real>(x), static_cast<Real>(y), 0}, im[3] = {};
        const auto at = [&](int i) { return View<Real>{re + i, im + i, 1, 1, 1}; };
        arithmetic.add(at(2), at(0), at(1));
        ASSERT_EQ(static_cast<double>(re[2]), nearest_posit8(x + y)) << x << " + " << y;
        arithmetic.multiply_real(at(0), static_cast<Real>(y));
        ASSERT_EQ(static_cast<double>(re[0]), nearest_posit8(x * y)) << x << " * " << y;
      }
  };
  const CastStores stores({}, format);
  check(ScalarArithmetic<double, CastStores, float>(format, stores), 0.0F);
  check(ScalarArithmetic<OddDouble, CastStores, double>(format, stores), 0.0);
}

TEST(NumberSystems, TransformAsANumberTypeDoes) {
  constexpr std::size_t n = 64;
  const ComplexArray<double> input = normal_values(n, 3);
  const Subject<Radix2Dit, float> subject{resolve(mode_named("posit8"), machine_named("ieee"))};
  const ComplexArray<float> x = subject.transform(input, n, Direction::forward);

  const ScalarArithmetic<Posit8> scalars(format_named("posit8"));
  ComplexArray<Posit8> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    y.re[i] = Posit8(input.re[i]);
    y.im[i] = Posit8(input.im[i]);
  }
  Radix2Dit<ScalarArithmetic<Posit8>>(scalars, n, Direction::forward, exact_roots())
      .transform(scalars, y);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(static_cast<double>(x.re[i]), y.re[i].value) << i;
    ASSERT_EQ(static_cast<double>(x.im[i]), y.im[i].value) << i;
  }
}

/// The products of such values span few binades: doubles add them up without an error.
TEST(NumberSystems, RoundSumsOfProductsOnceFromAQuire) {
  constexpr std::size_t n = 16;
  const Format format = format_named("posit8");
  const ComplexArray<double> input = normal_values(n, 4);
  const Subject<DftGemm, float> subject{resolve(mode_named("posit8:quire"), machine_named("ieee"))};
  const ComplexArray<float> y = subject.transform(input, n, Direction::forward);
  int differ = 0;
  const Subject<DftGemm, float> rounding{resolve(mode_named("posit8"), machine_named("ieee"))};
  const ComplexArray<float> apart = rounding.transform(input, n, Direction::forward);
  for (std::size_t k = 0; k < n; ++k) {
    double re = 0, im = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const std::complex<double> w = exact_roots()(j * k, n, format);
      const double x_re = nearest_posit8(input.re[j]), x_im = nearest_posit8(input.im[j]);
      re += x_re * w.real() - x_im * w.imag();
      im += x_re * w.imag() + x_im * w.real();
    }
    ASSERT_EQ(static_cast<double>(y.re[k]), nearest_posit8(re)) << k;
    ASSERT_EQ(static_cast<double>(y.im[k]), nearest_posit8(im)) << k;
    differ += y.re[k] != apart.re[k] || y.im[k] != apart.im[k];
  }
  EXPECT_GT(differ, 4);
}

}  // namespace
}  // namespace fftprec::testing

/// The order of operations of the complex kernels as documented, written down plainly: the same
/// bits.
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/arithmetic/scalar_arithmetic.hpp"
#include "algorithms/transforms/kernels.hpp"
#include "arith/formats/emulated.hpp"

namespace fftprec::testing {

namespace {

/// A float of some size for every i, different for every salt.
float sample(std::size_t i, std::size_t salt) {
  return static_cast<float>((i * 7919 + salt * 104729) % 1999) / 512 - 2;
}

template <class Real>
ComplexArray<Real> samples(std::size_t size) {
  ComplexArray<Real> x(size);
  for (std::size_t i = 0; i < size; ++i) {
    x.re[i] = static_cast<Real>(sample(i, 1));
    x.im[i] = static_cast<Real>(sample(i, 2));
  }
  return x;
}

}  // namespace

namespace {

/// The documented order of modReLU in T.
template <class T>
Complex<T> plain_modrelu(T re, T im, T bias) {
  using std::sqrt;
  const T squares = re * re + im * im;
  const T modulus = sqrt(squares);
  T size = modulus + bias;
  if (size < T(0.0)) size = T(0.0);
  if (modulus == T(0.0)) return {T(0.0) * re, T(0.0) * im};
  const T quotient = size / modulus;
  return {quotient * re, quotient * im};
}

template <class T, class Real>
void expect_plain_modrelu(const char* mode) {
  const MachineArithmetic<Real> arithmetic(resolve(mode_named(mode), machine_named("trn")));
  ComplexArray<double> wide(2000);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    wide.re[i] = static_cast<double>(sample(i, 1)) / 3;
    wide.im[i] = i >= 1000 ? 0 : static_cast<double>(sample(i, 2)) / 3;
  }
  wide.re[17] = wide.im[17] = 0;
  const ComplexArray<Real> x = arithmetic.stored(wide);

  const ComplexArray<Real> y = modrelu(arithmetic, x, 1000);

  ASSERT_EQ(y.size(), 1000u);
  const auto value = [](Real stored) { return T(static_cast<double>(stored)); };
  std::size_t dead = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    const Complex<T> expected =
        plain_modrelu(value(x.re[i]), value(x.im[i]), value(x.re[1000 + i]));
    EXPECT_EQ(static_cast<double>(y.re[i]), static_cast<double>(expected.re)) << mode << ", " << i;
    EXPECT_EQ(static_cast<double>(y.im[i]), static_cast<double>(expected.im)) << mode << ", " << i;
    dead += y.re[i] == 0 && y.im[i] == 0 ? 1 : 0;
  }
  EXPECT_GT(dead, 1u);
  EXPECT_LT(dead, 999u);
}

}  // namespace

TEST(KernelOrder, ModReluRoundsEveryOperationOnce) {
  expect_plain_modrelu<float, float>("fp32");
  expect_plain_modrelu<float, float>("kahan");
  expect_plain_modrelu<float, float>("ozaki");
  expect_plain_modrelu<Bf16, float>("bf16");
  expect_plain_modrelu<double, double>("fp64");
}

TEST(KernelOrder, ModReluOfTheScalarArithmeticHasTheSameBits) {
  const ScalarArithmetic<Bf16> scalar(bf16);
  const MachineArithmetic<float> machine(resolve(mode_named("bf16"), machine_named("trn")));
  ComplexArray<float> x(64);
  ComplexArray<Bf16> same(64);
  for (std::size_t i = 0; i < x.size(); ++i) {
    same.re[i] = Bf16(sample(i, 1));
    same.im[i] = i < 32 ? Bf16(sample(i, 2)) : Bf16(0.0);
    x.re[i] = same.re[i].carrier();
    x.im[i] = same.im[i].carrier();
  }

  const auto y = modrelu(machine, x, 32);
  const auto expected = modrelu(scalar, same, 32);

  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(y.re[i], expected.re[i].carrier()) << i;
    EXPECT_EQ(y.im[i], expected.im[i].carrier()) << i;
  }
}

TEST(KernelOrder, AMaskIsOneComplexProductEach) {
  const MachineArithmetic<float> arithmetic(resolve(mode_named("fp32"), machine_named("trn")));
  const ComplexArray<float> x = samples<float>(300);  // two items and a mask of 100

  const ComplexArray<float> y = masked(arithmetic, x, 100);

  ASSERT_EQ(y.size(), 200u);
  for (std::size_t i = 0; i < 200; ++i) {
    const float w_re = x.re[200 + i % 100];
    const float w_im = x.im[200 + i % 100];
    const float re_re = w_re * x.re[i], im_im = w_im * x.im[i];
    const float re_im = w_re * x.im[i], im_re = w_im * x.re[i];
    EXPECT_EQ(y.re[i], re_re - im_im) << i;
    EXPECT_EQ(y.im[i], re_im + im_re) << i;
  }
}

TEST(KernelOrder, ALinearLayerOnTheHostSumsRealPartsFirst) {
  const MachineArithmetic<double> arithmetic(resolve(mode_named("fp64"), machine_named("trn")));
  constexpr std::size_t n = 7, outputs = 3, batch = 2;
  ComplexArray<double> x = samples<double>((batch + outputs) * n);
  for (double& value : x.re) value /= 3;

  const ComplexArray<double> y = linear_layer(arithmetic, x, n, outputs);

  ASSERT_EQ(y.size(), batch * outputs);
  for (std::size_t i = 0; i < batch; ++i)
    for (std::size_t j = 0; j < outputs; ++j) {
      double re = 0, im = 0;
      const std::size_t w = (batch + j) * n;
      for (std::size_t l = 0; l < n; ++l) re += x.re[i * n + l] * x.re[w + l];
      for (std::size_t l = 0; l < n; ++l) re -= x.im[i * n + l] * x.im[w + l];
      for (std::size_t l = 0; l < n; ++l) im += x.re[i * n + l] * x.im[w + l];
      for (std::size_t l = 0; l < n; ++l) im += x.im[i * n + l] * x.re[w + l];
      EXPECT_EQ(y.re[i * outputs + j], re) << i << ", " << j;
      EXPECT_EQ(y.im[i * outputs + j], im) << i << ", " << j;
    }
}

TEST(KernelOrder, ADirectConvolutionOnTheHostSumsTapsInOrder) {
  const MachineArithmetic<double> arithmetic(resolve(mode_named("fp64"), machine_named("trn")));
  constexpr std::size_t n = 9, taps = 4, batch = 2;
  ComplexArray<double> x = samples<double>(batch * n + taps);
  for (double& value : x.re) value /= 3;

  const ComplexArray<double> y = direct_convolution(arithmetic, x, {n, taps});

  ASSERT_EQ(y.size(), batch * (n + taps - 1));
  const double* h_re = x.re.data() + batch * n;
  const double* h_im = x.im.data() + batch * n;
  for (std::size_t item = 0; item < batch; ++item)
    for (std::size_t k = 0; k < n + taps - 1; ++k) {
      const auto at = [&](const AlignedVector<double>& values, std::size_t j) {
        return j <= k && k - j < n ? values[item * n + k - j] : 0;
      };
      double re = 0, im = 0;
      for (std::size_t j = 0; j < taps; ++j) re += at(x.re, j) * h_re[j];
      for (std::size_t j = 0; j < taps; ++j) re -= at(x.im, j) * h_im[j];
      for (std::size_t j = 0; j < taps; ++j) im += at(x.re, j) * h_im[j];
      for (std::size_t j = 0; j < taps; ++j) im += at(x.im, j) * h_re[j];
      EXPECT_EQ(y.re[item * (n + taps - 1) + k], re) << item << ", " << k;
      EXPECT_EQ(y.im[item * (n + taps - 1) + k], im) << item << ", " << k;
    }
}

}  // namespace fftprec::testing

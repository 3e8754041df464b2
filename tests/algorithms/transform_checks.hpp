/// What every FFT is asked: does it stay below its bound, has it the bits of a textbook
/// transcription, what does it cost. That it is the DFT is asked of the registered ones.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/theory/predictor.hpp"
#include "arith/formats/round.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/transforms.hpp"
#include "tests/algorithms/arithmetic_samples.hpp"
#include "tests/algorithms/counting_kernels.hpp"
#include "tests/algorithms/test_roots.hpp"
#include "tests/support/classic_machines.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

/// Points of the unit circle by + - * / alone, of a different angle for every e/order < 1. They are
/// no roots of unity: where only the order of operations counts, any factors will do.
inline RootFunction rational_factors() {
  return [](std::uint64_t exponent, std::uint64_t order, const Format& format) {
    const double t = static_cast<double>(exponent % order) / static_cast<double>(order);
    const double cosine = (1 - t * t) / (1 + t * t);
    const double sine = 2 * t / (1 + t * t);
    return std::complex<double>(round(cosine, format, Rounding::rne),
                                round(-sine, format, Rounding::rne));
  };
}

/// What is known of the tables of exact_roots().
inline TableSource exact_source() {
  return {exact_roots(), exact_roots(), true,
          [](const TableExtent&, const Format& format) { return rounded_table_error(format); }};
}

template <class Real>
ComplexArray<double> in_double(const ComplexArray<Real>& x) {
  ComplexArray<double> result(x.size());
  std::copy(x.re.begin(), x.re.end(), result.re.begin());
  std::copy(x.im.begin(), x.im.end(), result.im.begin());
  return result;
}

/// An algorithm in a mode on a machine.
template <template <class> class Algorithm, class Real>
struct Subject {
  using Arithmetic = MachineArithmetic<Real>;
  ArithmeticSpec resolved;
  Arithmetic arithmetic{resolved};

  ErrorModel predict(std::size_t n, std::size_t batch, Direction direction) const {
    return Algorithm<Arithmetic>::predict(Predictor(resolved, direction, exact_source()), n, batch);
  }
  ComplexArray<Real> transform(const ComplexArray<double>& x, std::size_t n, Direction direction,
                               const RootFunction& roots = exact_roots()) const {
    ComplexArray<Real> y = arithmetic.stored(x);
    Algorithm<Arithmetic>(arithmetic, n, direction, roots).transform(arithmetic, y);
    return y;
  }
  /// The error of transforms of length n against the true ones is within the predicted bound.
  void expect_dft(const ComplexArray<double>& x, std::size_t n, Direction direction) const {
    const ComplexArray<double> stored = in_double(arithmetic.stored(x));
    const ComplexArray<double> y = in_double(transform(x, n, direction));
    const truth::Truth exact = truth::dft(stored, n, direction);
    const double bound = predict(n, x.size() / n, direction).bound.worst;
    EXPECT_LE(truth::measure(y, exact, resolved.operation_format()).l2_rel, bound)
        << resolved.mode() << " on " << resolved.machine().name << ", n = " << n << ", "
        << (direction == Direction::forward ? "forward" : "inverse") << ", X_0 = (" << y.re[0]
        << ", " << y.im[0] << "), truth (" << exact.hi.re[0] << ", " << exact.hi.im[0] << ")";
  }
};

template <template <class> class Algorithm>
Subject<Algorithm, double> in_mode_double() {
  return {resolve(mode_named("fp64"), machine_named("ieee"))};
}

/// A scalar type and a product, by which a textbook transcription does what a mode does.
struct FastScalars {
  using Scalar = float;
  static constexpr const char* mode = "fp32";
  static Complex<float> product(Complex<float> w, Complex<float> x) { return multiply(w, x); }
};
struct Bf16Scalars {
  using Scalar = Bf16;
  static constexpr const char* mode = "bf16";
  static Complex<Bf16> product(Complex<Bf16> w, Complex<Bf16> x) { return multiply(w, x); }
};
struct KahanScalars {
  using Scalar = float;
  static constexpr const char* mode = "kahan";
  static Complex<float> product(Complex<float> w, Complex<float> x) {
    return multiply_two_prod(w, x);
  }
};

/// The factor exp(-+2 pi i exponent/order) of `roots` as a value of the mode.
template <class Scalars>
auto factor_of(const RootFunction& roots, std::size_t exponent, std::size_t order,
               Direction direction) {
  using T = typename Scalars::Scalar;
  const std::complex<double> w = roots(exponent, order, storage_format(mode_named(Scalars::mode)));
  return Complex<T>{T(static_cast<float>(w.real())),
                    T(static_cast<float>(direction == Direction::forward ? w.imag() : -w.imag()))};
}

/// The algorithm in the mode of Scalars against textbook(x, roots, direction), a function from
/// values to values without the division of the inverse: equal in every bit.
template <template <class> class Algorithm, class Scalars, class Textbook>
void expect_bits_of(std::size_t n, Textbook textbook) {
  using T = typename Scalars::Scalar;
  const Subject<Algorithm, float> subject{resolve(mode_named(Scalars::mode), machine_named("trn"))};
  const ComplexArray<double> x = normal_values(n, 4);
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const ComplexArray<float> stored = subject.arithmetic.stored(x);
    std::vector<Complex<T>> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = {T(stored.re[i]), T(stored.im[i])};
    values = textbook(values, rational_factors(), direction);
    if (direction == Direction::inverse) {
      const T scale(static_cast<float>(round(
          1.0 / static_cast<double>(n), storage_format(mode_named(Scalars::mode)), Rounding::rne)));
      for (Complex<T>& value : values) value = {scale * value.re, scale * value.im};
    }

    const ComplexArray<float> y = subject.transform(x, n, direction, rational_factors());

    for (std::size_t i = 0; i < n; ++i) {
      const auto expected = [](T value) { return Carrier<T>::store(value); };
      ASSERT_EQ(y.re[i], expected(values[i].re))
          << Scalars::mode << ", n = " << n << ", output " << i << ", seed 4";
      ASSERT_EQ(y.im[i], expected(values[i].im))
          << Scalars::mode << ", n = " << n << ", output " << i << ", seed 4";
    }
  }
}

/// The operations that one call does.
template <template <class> class Algorithm, class Real>
OperationCounts operations(const ArithmeticSpec& resolved, std::size_t n, std::size_t batch,
                           Direction direction) {
  const MachineArithmetic<Real> arithmetic(resolved, counting_kernels<Real>(resolved));
  const Algorithm<MachineArithmetic<Real>> algorithm(arithmetic, n, direction, exact_roots());
  ComplexArray<Real> x(n * batch);
  for (std::size_t i = 0; i < x.size(); ++i) x.re[i] = static_cast<Real>(i % 7) - 3;
  reset_counts();
  algorithm.transform(arithmetic, x);
  return counted();
}

}  // namespace fftprec::testing

/// An FFT built from another as an algorithm of its own, for tests that take one, and the textbook
/// form of the usual inner FFT.
#pragma once

#include <algorithm>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/fft/fft.hpp"
#include "tests/algorithms/transform_checks.hpp"

namespace fftprec::testing {

template <template <class> class Outer, template <class> class Inner>
struct Around {
  static FftModel inner_model() {
    using Any = Inner<MachineArithmetic<float>>;
    return {Any::unsupported, Any::predict};
  }

  template <class Arithmetic>
  struct Fft : Outer<Arithmetic> {
    Fft(const Arithmetic& arithmetic, std::size_t n, Direction direction, const RootFunction& roots)
        : Outer<Arithmetic>(arithmetic, n, direction, roots, make_fft<Inner, Arithmetic>()) {}

    static std::string unsupported(std::size_t n) {
      return Outer<Arithmetic>::unsupported(n, inner_model());
    }
    static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch) {
      return Outer<Arithmetic>::predict(predictor, n, batch, inner_model());
    }
  };
};

/// All parts are numbers of the format.
template <class Real>
bool is_stored_in(const Format& format, const ComplexArray<Real>& x) {
  const auto stored = [&](Real value) {
    return round(static_cast<double>(value), format, Rounding::rne) == static_cast<double>(value);
  };
  return std::all_of(x.re.begin(), x.re.end(), stored) &&
         std::all_of(x.im.begin(), x.im.end(), stored);
}

template <class Scalars>
using Values = std::vector<Complex<typename Scalars::Scalar>>;

/// radix2-dit by recursion: even and odd halves, then one butterfly per pair. The factors of parts
/// are among those of the whole.
template <class Scalars>
Values<Scalars> radix2(const Values<Scalars>& x, const RootFunction& roots, Direction direction) {
  Values<Scalars> factors;
  for (std::size_t k = 0; k < x.size() / 2; ++k)
    factors.push_back(factor_of<Scalars>(roots, k, x.size(), direction));
  const auto transformed = [&](const auto& self, const Values<Scalars>& part) -> Values<Scalars> {
    const std::size_t n = part.size();
    if (n == 1) return part;
    Values<Scalars> half[2];
    for (std::size_t j = 0; j < n; ++j) half[j % 2].push_back(part[j]);
    for (Values<Scalars>& each : half) each = self(self, each);
    Values<Scalars> y(n);
    for (std::size_t k = 0; k < n / 2; ++k) {
      const auto t = Scalars::product(factors[k * (x.size() / n)], half[1][k]);
      y[k] = half[0][k] + t;
      y[k + n / 2] = half[0][k] - t;
    }
    return y;
  };
  return transformed(transformed, x);
}

}  // namespace fftprec::testing

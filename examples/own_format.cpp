/// The error of a radix-2 FFT in a number format of your own, against MPFR: the library without the
/// command line.
#include <cstdio>

#include "algorithms/arithmetic/scalar_arithmetic.hpp"
#include "algorithms/fft/radix2.hpp"
#include "arith/formats/emulated.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/transforms.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/tables/tables.hpp"

int main() {
  using namespace fftprec;
  // 10 significant bits, exponents -30 to 31, no subnormals, saturating.
  constexpr Format own{10, -30, 31, false, Overflow::saturate};
  using Number = Emulated<own>;

  std::puts("     n   relative 2-norm error   in units of 2^-10");
  for (std::size_t n = 16; n <= 4096; n *= 4) {
    const ComplexArray<double> x = make_input("gaussian", n, /*batch=*/1, /*seed=*/1);
    ComplexArray<Number> y(n);
    for (std::size_t i = 0; i < n; ++i) {
      y.re[i] = Number(x.re[i]);  // rounds once
      y.im[i] = Number(x.im[i]);
    }

    const ScalarArithmetic<Number> arithmetic(own);
    const Radix2Dit<ScalarArithmetic<Number>> fft(arithmetic, n, Direction::forward,
                                                  table_source("exact"));
    fft.transform(arithmetic, y);

    ComplexArray<double> result(n);
    for (std::size_t i = 0; i < n; ++i) {
      result.re[i] = static_cast<double>(y.re[i]);
      result.im[i] = static_cast<double>(y.im[i]);
    }
    const double error = truth::measure(result, truth::dft(x, n, Direction::forward), own).l2_rel;
    std::printf("%6zu   %.3e               %.2f\n", n, error, error / unit_roundoff(own));
  }
}

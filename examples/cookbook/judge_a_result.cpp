/// The result of any FFT against the certified transform of its input: norms, ulps, and the worst
/// case that theory has for an algorithm.
#include <cmath>
#include <complex>
#include <cstdio>
#include <fftprec/fftprec.hpp>
#include <numbers>
#include <vector>

namespace {

/// The FFT under test: the definition, all in float, its angle not reduced.
std::vector<std::complex<float>> own_dft(const std::vector<std::complex<float>>& x) {
  std::vector<std::complex<float>> y(x.size());
  for (std::size_t k = 0; k < x.size(); ++k)
    for (std::size_t j = 0; j < x.size(); ++j) {
      const float angle =
          -2 * std::numbers::pi_v<float> * static_cast<float>(j * k) / static_cast<float>(x.size());
      y[k] += std::polar(1.0F, angle) * x[j];
    }
  return y;
}

}  // namespace

int main() {
  constexpr std::size_t n = 256;
  const fftprec::ComplexArray<double> input = fftprec::make_input("gaussian", n, 1, /*seed=*/1);
  std::vector<std::complex<float>> x(n);
  for (std::size_t j = 0; j < n; ++j)
    x[j] = {static_cast<float>(input.re[j]), static_cast<float>(input.im[j])};

  // Signal takes any range of numbers; float widens to double exactly.
  const fftprec::ForeignProblem problem =
      fftprec::foreign_problem("fft", n, {fftprec::Signal(x).values(), {n}});
  const fftprec::ComplexArray<double> y = fftprec::Signal(own_dft(x)).values();
  fftprec::Row row = fftprec::measure_result(problem, y, fftprec::fp32);
  fftprec::predict_result(row, problem, fftprec::claimed_case("algorithm=direct, machine=ieee"));

  std::printf("error %.2e, %.1f bits; largest %.3g ulp\n", *row.err_l2_rel, *row.bits_l2,
              *row.err_max_ulp);
  std::printf("the definition in fp32 with exact tables: expected %.2e, at most %.2e\n",
              *row.expected_l2_rel, *row.bound_l2_rel);
  std::puts(*row.err_l2_rel > 3 * *row.expected_l2_rel ? "its tables are at fault" : "as expected");
}

// It prints:
//     error 2.02e-05, 15.6 bits; largest 5.33e+04 ulp
//     the definition in fp32 with exact tables: expected 2.90e-07, at most 2.46e-04
//     its tables are at fault

/// A signal in formats narrower than fp32, as a device would store it: how much is lost?
#include <cmath>
#include <cstdio>
#include <fftprec/fftprec.hpp>
#include <string>
#include <vector>

int main() {
  for (const std::string name : {"bf16", "fp16", "fp8_e4m3", "fp8_e5m2"}) {
    const fftprec::Format format = fftprec::format_named(name);
    std::vector<double> x(1000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + 0.001 * static_cast<double>(i);

    std::vector<double> nearest = x, cut = x;
    fftprec::round(nearest, format);                     // to nearest, ties to even
    fftprec::round(cut, format, fftprec::Rounding::rz);  // toward zero

    double worst = 0, worst_cut = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      worst = std::max(worst, std::fabs(nearest[i] - x[i]) / x[i]);
      worst_cut = std::max(worst_cut, std::fabs(cut[i] - x[i]) / x[i]);
    }
    std::printf("%-9s largest relative error %.2e to nearest, %.2e toward zero\n", name.c_str(),
                worst, worst_cut);
  }
}

// It prints:
//     bf16      largest relative error 3.80e-03 to nearest, 7.46e-03 toward zero
//     fp16      largest relative error 4.74e-04 to nearest, 9.23e-04 toward zero
//     fp8_e4m3  largest relative error 5.84e-02 to nearest, 1.10e-01 toward zero
//     fp8_e5m2  largest relative error 1.11e-01 to nearest, 1.99e-01 toward zero

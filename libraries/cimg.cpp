/// CImg's own FFT in float and double, of powers of two: complex of one or two axes.
#define cimg_display 0
#include <CImg.h>

#include "adapter.hpp"

template <class Real>
adapter::Answer answer(const adapter::Request& request) {
  const auto n = static_cast<unsigned>(request.n());
  const auto rows = static_cast<unsigned>(request.points() / n);
  return request.each<std::complex<Real>>([&](auto x, auto y) {
    cimg_library::CImg<Real> re(n, rows), im(n, rows);
    for (unsigned i = 0; i < n * rows; ++i) re[i] = x[i].real(), im[i] = x[i].imag();
    cimg_library::CImg<Real>::FFT(re, im, request.inverse);
    for (unsigned i = 0; i < n * rows; ++i) y[i] = {re[i], im[i]};
  });
}

int main() {
  return adapter::serve([](const adapter::Request& request) {
    request.needs("fft", 2, {"fp32", "fp64"});
    for (const std::size_t n : request.lengths) request.needs((n & (n - 1)) == 0, "n = 2^k");
    return request.format == "fp32" ? answer<float>(request) : answer<double>(request);
  });
}

/// Armadillo's own FFT (a copy of KissFFT's C++ header) in float and double: complex of one or two
/// axes. Its matrices store columns: the axes of an item change places, which the transform does
/// not see.
#define ARMA_DONT_USE_WRAPPER
#define ARMA_DONT_USE_FFTW3
#include <armadillo>

#include "adapter.hpp"

template <class Real>
adapter::Answer answer(const adapter::Request& request) {
  using Complex = std::complex<Real>;
  const std::size_t n = request.n(), rows = request.points() / n;
  return request.each<Complex>([&](auto x, auto y) {
    const arma::Mat<Complex> in(x.data(), n, rows);
    arma::Mat<Complex> out;
    if (rows == 1)
      out =
          request.inverse ? arma::Mat<Complex>(arma::ifft(in)) : arma::Mat<Complex>(arma::fft(in));
    else
      out = request.inverse ? arma::Mat<Complex>(arma::ifft2(in))
                            : arma::Mat<Complex>(arma::fft2(in));
    std::copy(out.begin(), out.end(), y.begin());
  });
}

int main() {
  return adapter::serve([](const adapter::Request& request) {
    request.needs("fft", 2, {"fp32", "fp64"});
    return request.format == "fp32" ? answer<float>(request) : answer<double>(request);
  });
}

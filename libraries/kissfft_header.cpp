/// KissFFT's C++ header, a template over the type, in float and double.
#include <kissfft/kissfft.hh>

#include "adapter.hpp"

template <class Real>
adapter::Answer answer(const adapter::Request& request) {
  kissfft<Real> fft(request.n(), request.inverse);
  return request.each<std::complex<Real>>(
      [&](auto x, auto y) { fft.transform(x.data(), y.data()); }, undivided(request));
}

int main() {
  return adapter::serve([](const adapter::Request& request) {
    request.needs("fft", 1, {"fp32", "fp64"});
    return request.format == "fp32" ? answer<float>(request) : answer<double>(request);
  });
}

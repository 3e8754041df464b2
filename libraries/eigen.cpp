/// Eigen's FFT module with its own kernel, in float and double: complex of any length above 1.
#include <unsupported/Eigen/FFT>

#include "adapter.hpp"

template <class Real>
adapter::Answer answer(const adapter::Request& request) {
  using Complex = std::complex<Real>;
  Eigen::FFT<Real> fft;
  return request.each<Complex>([&](auto x, auto y) {
    std::vector<Complex> in(x.begin(), x.end()), out(x.size());
    request.inverse ? fft.inv(out, in) : fft.fwd(out, in);
    std::copy(out.begin(), out.end(), y.begin());
  });
}

int main() {
  return adapter::serve([](const adapter::Request& request) {
    request.needs("fft", 1, {"fp32", "fp64"});
    request.needs(request.n() > 1, "n > 1, since Eigen 3.4 reads past its arrays at n = 1");
    return request.format == "fp32" ? answer<float>(request) : answer<double>(request);
  });
}

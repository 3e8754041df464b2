/// IT++ in double, which calls FFTW or its own: complex and real of any length, dct2.
#include <itpp/base/vec.h>
#include <itpp/signal/transforms.h>

#include "adapter.hpp"

using Complex = std::complex<double>;

int main() {
  return adapter::serve([](const adapter::Request& request) {
    request.needs("fft", 1, {"fp64"});
    return request.each<Complex>([&](auto x, auto y) {
      const itpp::cvec in(x.data(), static_cast<int>(x.size()));
      const itpp::cvec out = request.inverse ? itpp::ifft(in) : itpp::fft(in);
      std::copy_n(out._data(), y.size(), y.begin());
    });
  });
}

/// liquid-dsp in float: complex of any length.
#include <liquid/liquid.h>

#include "adapter.hpp"

int main() {
  return adapter::serve([](const adapter::Request& request) {
    request.needs("fft", 1, {"fp32"});
    const auto its = [](auto x) { return reinterpret_cast<liquid_float_complex*>(x.data()); };
    return request.each<std::complex<float>>(
        [&](auto x, auto y) {
          fft_run(static_cast<unsigned>(x.size()), its(x), its(y),
                  request.inverse ? LIQUID_FFT_BACKWARD : LIQUID_FFT_FORWARD, 0);
        },
        undivided(request));
  });
}

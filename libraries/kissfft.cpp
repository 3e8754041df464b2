/// KissFFT in float: complex of any number of axes, real of even length.
#include <kissfft/kiss_fft.h>
#include <kissfft/kiss_fftnd.h>
#include <kissfft/kiss_fftr.h>

#include <memory>

#include "adapter.hpp"

using Complex = std::complex<float>;

int main() {
  return adapter::serve([](const adapter::Request& request) {
    const auto in = [](auto x) { return reinterpret_cast<const kiss_fft_cpx*>(x.data()); };
    const auto out = [](auto y) { return reinterpret_cast<kiss_fft_cpx*>(y.data()); };
    const double scale = undivided(request);
    if (request.is("rfft", "fp32") && request.lengths.size() == 1 && request.n() % 2 == 0) {
      const std::unique_ptr<void, decltype(&kiss_fftr_free)> plan(
          kiss_fftr_alloc(static_cast<int>(request.n()), request.inverse, nullptr, nullptr),
          kiss_fftr_free);
      const auto config = static_cast<kiss_fftr_cfg>(plan.get());
      if (request.inverse)
        return request.each<Complex, float>(
            [&](auto x, auto y) { kiss_fftri(config, in(x), y.data()); }, scale);
      return request.each<float, Complex>(
          [&](auto x, auto y) { kiss_fftr(config, x.data(), out(y)); });
    }
    request.needs("fft", 5, {"fp32"});
    const std::vector<int> lengths(request.lengths.begin(), request.lengths.end());
    const auto plan = kiss_fftnd_alloc(lengths.data(), static_cast<int>(lengths.size()),
                                       request.inverse, nullptr, nullptr);
    auto answer =
        request.each<Complex>([&](auto x, auto y) { kiss_fftnd(plan, in(x), out(y)); }, scale);
    kiss_fft_free(plan);
    return answer;
  });
}

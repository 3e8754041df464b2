/// FFTW 2 in double, or in float where SINGLE is defined, planned by FFTW_ESTIMATE: complex of up
/// to five axes.
#ifdef SINGLE
#include <sfftw.h>
constexpr auto format = "fp32";
#else
#include <fftw.h>
constexpr auto format = "fp64";
#endif

#include "adapter.hpp"

int main() {
  return adapter::serve([](const adapter::Request& request) {
    request.needs("fft", 5, {format});
    const std::vector<int> n(request.lengths.begin(), request.lengths.end());
    const auto plan =
        fftwnd_create_plan(static_cast<int>(n.size()), n.data(),
                           request.inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
    auto answer = request.each<std::complex<fftw_real>>(
        [&](auto x, auto y) {
          fftwnd_one(plan, reinterpret_cast<fftw_complex*>(x.data()),
                     reinterpret_cast<fftw_complex*>(y.data()));
        },
        undivided(request));
    fftwnd_destroy_plan(plan);
    return answer;
  });
}

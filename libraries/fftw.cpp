/// FFTW in float and double, planned by FFTW_ESTIMATE: complex and real of up to five axes, dct2,
/// dct3.
#include <fftw3.h>

#include "adapter.hpp"

template <class Real, auto plan_dft, auto plan_r2c, auto plan_c2r, auto plan_r2r, auto run,
          auto destroy>
adapter::Answer answer(const adapter::Request& request) {
  using Complex = std::complex<Real>;
  const std::vector<int> n(request.lengths.begin(), request.lengths.end());
  const int axes = static_cast<int>(n.size());
  const auto each = [&]<class In, class Out>(auto plan_of) {
    return request.each<In, Out>(
        [&](std::span<In> x, std::span<Out> y) {
          const std::vector<In> kept(x.begin(), x.end());  // planners may write
          const auto plan = plan_of(x.data(), y.data());
          std::copy(kept.begin(), kept.end(), x.begin());
          run(plan);
          destroy(plan);
        },
        undivided(request));
  };
  using Pair = Real(*)[2];
  if (request.transform == "rfft" && !request.inverse)
    return each.template operator()<Real, Complex>([&](Real* x, Complex* y) {
      return plan_r2c(axes, n.data(), x, reinterpret_cast<Pair>(y), FFTW_ESTIMATE);
    });
  if (request.transform == "rfft")
    return each.template operator()<Complex, Real>([&](Complex* x, Real* y) {
      return plan_c2r(axes, n.data(), reinterpret_cast<Pair>(x), y, FFTW_ESTIMATE);
    });
  if (request.transform == "dct2" || request.transform == "dct3") {
    const fftw_r2r_kind kind = request.transform == "dct2" ? FFTW_REDFT10 : FFTW_REDFT01;
    return each.template operator()<Real, Real>(
        [&](Real* x, Real* y) { return plan_r2r(1, n.data(), x, y, &kind, FFTW_ESTIMATE); });
  }
  return each.template operator()<Complex, Complex>([&](Complex* x, Complex* y) {
    return plan_dft(axes, n.data(), reinterpret_cast<Pair>(x), reinterpret_cast<Pair>(y),
                    request.inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
  });
}

int main() {
  return adapter::serve([](const adapter::Request& request) {
    if (request.transform != "dct2" && request.transform != "dct3")
      request.needs(request.transform == "rfft" ? "rfft" : "fft", 5, {"fp32", "fp64"});
    return request.format == "fp32"
               ? answer<float, fftwf_plan_dft, fftwf_plan_dft_r2c, fftwf_plan_dft_c2r,
                        fftwf_plan_r2r, fftwf_execute, fftwf_destroy_plan>(request)
               : answer<double, fftw_plan_dft, fftw_plan_dft_r2c, fftw_plan_dft_c2r, fftw_plan_r2r,
                        fftw_execute, fftw_destroy_plan>(request);
  });
}

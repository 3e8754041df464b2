/// FFTW in float and double, planned by FFTW_ESTIMATE: complex and real of up to five axes, cosine
/// and sine transforms of types 1 to 4, Hartley.
#include <fftw3.h>

#include <map>
#include <string>

#include "adapter.hpp"

namespace {

const std::map<std::string, fftw_r2r_kind> real_kinds{
    {"dct1", FFTW_REDFT00}, {"dct2", FFTW_REDFT10}, {"dct3", FFTW_REDFT01},
    {"dct4", FFTW_REDFT11}, {"dst1", FFTW_RODFT00}, {"dst2", FFTW_RODFT10},
    {"dst3", FFTW_RODFT01}, {"dst4", FFTW_RODFT11}, {"hartley", FFTW_DHT}};

}  // namespace

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
  if (const auto kind = real_kinds.find(request.transform); kind != real_kinds.end())
    return each.template operator()<Real, Real>([&](Real* x, Real* y) {
      return plan_r2r(1, n.data(), x, y, &kind->second, FFTW_ESTIMATE);
    });
  return each.template operator()<Complex, Complex>([&](Complex* x, Complex* y) {
    return plan_dft(axes, n.data(), reinterpret_cast<Pair>(x), reinterpret_cast<Pair>(y),
                    request.inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
  });
}

int main() {
  return adapter::serve([](const adapter::Request& request) {
    if (!real_kinds.contains(request.transform))
      request.needs(request.transform == "rfft" ? "rfft" : "fft", 5, {"fp32", "fp64"});
    return request.format == "fp32"
               ? answer<float, fftwf_plan_dft, fftwf_plan_dft_r2c, fftwf_plan_dft_c2r,
                        fftwf_plan_r2r, fftwf_execute, fftwf_destroy_plan>(request)
               : answer<double, fftw_plan_dft, fftw_plan_dft_r2c, fftw_plan_dft_c2r, fftw_plan_r2r,
                        fftw_execute, fftw_destroy_plan>(request);
  });
}

/// FFTW, planned by FFTW_ESTIMATE: complex and real of up to five axes, cosine and sine transforms
/// of types 1 to 4, Hartley. In float and double; where QUAD is defined, doubles are transformed in
/// binary128, and results round once, after an inverse has divided.
#include <fftw3.h>

#include <map>
#include <string>
#include <type_traits>

#include "adapter.hpp"

namespace {

const std::map<std::string, fftw_r2r_kind> real_kinds{
    {"dct1", FFTW_REDFT00}, {"dct2", FFTW_REDFT10}, {"dct3", FFTW_REDFT01},
    {"dct4", FFTW_REDFT11}, {"dst1", FFTW_RODFT00}, {"dst2", FFTW_RODFT10},
    {"dst3", FFTW_RODFT01}, {"dst4", FFTW_RODFT11}, {"hartley", FFTW_DHT}};

#ifdef QUAD
const std::initializer_list<std::string_view> formats{"fp64"};
#else
const std::initializer_list<std::string_view> formats{"fp32", "fp64"};
#endif

}  // namespace

/// Of `Value`s, computed in `Real`.
template <class Value, class Real, auto plan_dft, auto plan_r2c, auto plan_c2r, auto plan_r2r,
          auto run, auto destroy>
adapter::Answer answer(const adapter::Request& request) {
  using Complex = std::complex<Value>;
  using Pair = Real(*)[2];
  const std::vector<int> n(request.lengths.begin(), request.lengths.end());
  const int axes = static_cast<int>(n.size());
  const bool divides = !std::is_same_v<Value, Real>;
  const Real divisor = divides ? undivided(request) : 1;
  const auto each = [&]<class In, class Out>(auto plan_of) {
    return request.each<In, Out>(
        [&](std::span<In> x, std::span<Out> y) {
          const std::span given(reinterpret_cast<const Value*>(x.data()),
                                x.size_bytes() / sizeof(Value));
          const std::span results(reinterpret_cast<Value*>(y.data()),
                                  y.size_bytes() / sizeof(Value));
          std::vector<Real> in(given.size()), out(results.size());
          const auto plan = plan_of(in.data(), out.data());
          std::copy(given.begin(), given.end(), in.begin());  // planners may write
          run(plan);
          destroy(plan);
          std::transform(out.begin(), out.end(), results.begin(),
                         [&](Real part) { return static_cast<Value>(part / divisor); });
        },
        divides ? 1 : undivided(request));
  };
  if (request.transform == "rfft" && !request.inverse)
    return each.template operator()<Value, Complex>([&](Real* x, Real* y) {
      return plan_r2c(axes, n.data(), x, reinterpret_cast<Pair>(y), FFTW_ESTIMATE);
    });
  if (request.transform == "rfft")
    return each.template operator()<Complex, Value>([&](Real* x, Real* y) {
      return plan_c2r(axes, n.data(), reinterpret_cast<Pair>(x), y, FFTW_ESTIMATE);
    });
  if (const auto kind = real_kinds.find(request.transform); kind != real_kinds.end())
    return each.template operator()<Value, Value>([&](Real* x, Real* y) {
      return plan_r2r(1, n.data(), x, y, &kind->second, FFTW_ESTIMATE);
    });
  return each.template operator()<Complex, Complex>([&](Real* x, Real* y) {
    return plan_dft(axes, n.data(), reinterpret_cast<Pair>(x), reinterpret_cast<Pair>(y),
                    request.inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
  });
}

int main() {
  return adapter::serve([](const adapter::Request& request) {
    const bool is_known = request.transform == "rfft" || real_kinds.contains(request.transform);
    request.needs(is_known ? request.transform : "fft", 5, formats);
#ifdef QUAD
    return answer<double, __float128, fftwq_plan_dft, fftwq_plan_dft_r2c, fftwq_plan_dft_c2r,
                  fftwq_plan_r2r, fftwq_execute, fftwq_destroy_plan>(request);
#else
    return request.format == "fp32"
               ? answer<float, float, fftwf_plan_dft, fftwf_plan_dft_r2c, fftwf_plan_dft_c2r,
                        fftwf_plan_r2r, fftwf_execute, fftwf_destroy_plan>(request)
               : answer<double, double, fftw_plan_dft, fftw_plan_dft_r2c, fftw_plan_dft_c2r,
                        fftw_plan_r2r, fftw_execute, fftw_destroy_plan>(request);
#endif
  });
}

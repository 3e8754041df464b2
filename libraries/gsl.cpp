/// GSL in double and float: radix 2 (argument radix2), or mixed radices.
#include <gsl/gsl_fft_complex.h>
#include <gsl/gsl_fft_complex_float.h>

#include "adapter.hpp"

template <class Real, auto forward, auto backward, class Plan>
adapter::Answer answer(const adapter::Request& request, Plan plan) {
  const auto run = request.inverse ? backward : forward;
  return request.each<std::complex<Real>>(
      [&](auto x, auto y) {
        std::copy(x.begin(), x.end(), y.begin());
        plan([&](auto... tables) {
          run(reinterpret_cast<Real*>(y.data()), 1, y.size(), tables...);
        });
      },
      undivided(request));
}

int main(int argc, char**) {
  const bool radix2 = argc > 1;
  return adapter::serve([&](const adapter::Request& request) {
    request.needs("fft", 1, {"fp32", "fp64"});
    const std::size_t n = request.n();
    const bool single = request.format == "fp32";
    if (radix2) {
      request.needs((n & (n - 1)) == 0, "n = 2^k");
      const auto none = [](auto run) { run(); };
      return single
                 ? answer<float, gsl_fft_complex_float_radix2_forward,
                          gsl_fft_complex_float_radix2_backward>(request, none)
                 : answer<double, gsl_fft_complex_radix2_forward, gsl_fft_complex_radix2_backward>(
                       request, none);
    }
    if (single) {
      auto* const table = gsl_fft_complex_wavetable_float_alloc(n);
      auto* const work = gsl_fft_complex_workspace_float_alloc(n);
      auto result = answer<float, gsl_fft_complex_float_forward, gsl_fft_complex_float_backward>(
          request, [&](auto run) { run(table, work); });
      gsl_fft_complex_workspace_float_free(work);
      gsl_fft_complex_wavetable_float_free(table);
      return result;
    }
    auto* const table = gsl_fft_complex_wavetable_alloc(n);
    auto* const work = gsl_fft_complex_workspace_alloc(n);
    auto result = answer<double, gsl_fft_complex_forward, gsl_fft_complex_backward>(
        request, [&](auto run) { run(table, work); });
    gsl_fft_complex_workspace_free(work);
    gsl_fft_complex_wavetable_free(table);
    return result;
  });
}

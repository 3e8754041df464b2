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

/// Of mixed radices, which take a table and a workspace.
template <class Real, auto forward, auto backward, auto new_table, auto free_table, auto new_work,
          auto free_work>
adapter::Answer mixed(const adapter::Request& request) {
  auto* const table = new_table(request.n());
  auto* const work = new_work(request.n());
  auto result = answer<Real, forward, backward>(request, [&](auto run) { run(table, work); });
  free_work(work);
  free_table(table);
  return result;
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
    return single
               ? mixed<float, gsl_fft_complex_float_forward, gsl_fft_complex_float_backward,
                       gsl_fft_complex_wavetable_float_alloc, gsl_fft_complex_wavetable_float_free,
                       gsl_fft_complex_workspace_float_alloc, gsl_fft_complex_workspace_float_free>(
                     request)
               : mixed<double, gsl_fft_complex_forward, gsl_fft_complex_backward,
                       gsl_fft_complex_wavetable_alloc, gsl_fft_complex_wavetable_free,
                       gsl_fft_complex_workspace_alloc, gsl_fft_complex_workspace_free>(request);
  });
}

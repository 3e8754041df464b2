/// FLINT's acb_dft with balls of 53 bits, whose midpoints are the result in double.
#include <acb_dft.h>

#include "adapter.hpp"

int main() {
  return adapter::serve([](const adapter::Request& request) {
    request.needs("fft", 1, {"fp64"});
    return request.each<std::complex<double>>([&](auto x, auto y) {
      const auto length = static_cast<slong>(x.size());
      const acb_ptr in = _acb_vec_init(length), out = _acb_vec_init(length);
      for (std::size_t j = 0; j < x.size(); ++j) acb_set_d_d(in + j, x[j].real(), x[j].imag());
      (request.inverse ? acb_dft_inverse : acb_dft)(out, in, length, 53);
      for (std::size_t k = 0; k < y.size(); ++k)
        y[k] = {arf_get_d(arb_midref(acb_realref(out + k)), ARF_RND_NEAR),
                arf_get_d(arb_midref(acb_imagref(out + k)), ARF_RND_NEAR)};
      _acb_vec_clear(in, length);
      _acb_vec_clear(out, length);
    });
  });
}

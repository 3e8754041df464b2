/// Arb's enclosures, in a source of their own: tests of other folders judge without Arb.
#include <acb_dft.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/truth/judge.hpp"

namespace fftprec::testing {

Exact by_arb(const ComplexArray<double>& x, std::size_t n, Direction direction) {
  Exact y(x.size());
  const auto length = static_cast<slong>(n);
  acb_ptr in = _acb_vec_init(length);
  acb_ptr out = _acb_vec_init(length);
  double widest = 0;
  double largest = 0;
  for (std::size_t first = 0; first < x.size(); first += n) {
    for (std::size_t j = 0; j < n; ++j) acb_set_d_d(in + j, x.re[first + j], x.im[first + j]);
    constexpr slong bits = judge_bits + 60;
    if (direction == Direction::inverse)
      acb_dft_inverse(out, in, length, bits);
    else
      acb_dft(out, in, length, bits);
    for (std::size_t k = 0; k < n; ++k) {
      arf_get_mpfr(y.re[first + k], arb_midref(acb_realref(out + k)), MPFR_RNDN);
      arf_get_mpfr(y.im[first + k], arb_midref(acb_imagref(out + k)), MPFR_RNDN);
      for (arb_srcptr part : {acb_realref(out + k), acb_imagref(out + k)}) {
        widest = std::max(widest, mag_get_d(arb_radref(part)));
        largest = std::max(largest, std::fabs(arf_get_d(arb_midref(part), ARF_RND_NEAR)));
      }
    }
  }
  _acb_vec_clear(in, length);
  _acb_vec_clear(out, length);
  if (widest > 0x1p-300 * largest) throw std::runtime_error("Arb's enclosure is too wide");
  return y;
}

}  // namespace fftprec::testing

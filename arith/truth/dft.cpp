#include "arith/truth/dft.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "arith/error.hpp"
#include "arith/truth/fourier.hpp"
#include "arith/truth/radius.hpp"

namespace fftprec::truth {
namespace {

constexpr double wanted_radius = 0x1p-110;
constexpr mpfr_prec_t precision_step = 32;

void check(const ComplexArray<double>& x, std::size_t n, int precision_bits) {
  require(n >= 1, "dft: n = 0");
  require(x.re.size() == x.im.size(), "dft: real and imaginary parts differ in size");
  require(x.size() % n == 0,
          "dft: size " + std::to_string(x.size()) + " is no multiple of n = " + std::to_string(n));
  require(precision_bits >= 53 && precision_bits <= 512,
          "dft: precision_bits = " + std::to_string(precision_bits) + " is not in 53..512");
  for (std::size_t i = 0; i < x.size(); ++i)
    require(std::isfinite(x.re[i]) && std::isfinite(x.im[i]),
            "dft: input element " + std::to_string(i) + " is not finite");
}

mpfr_prec_t sufficient_precision(std::size_t n, int precision_bits) {
  mpfr_prec_t precision = precision_bits;
  while (Fourier::radius(n, precision) > wanted_radius) precision += precision_step;
  return precision;
}

/// hi + lo nearest to x, then to what is left. `rest` has the precision of x, at which x - hi is
/// exact: it is a multiple of x's last bit and not above x.
void store(mpfr_srcptr x, Real& rest, double& hi, double& lo) {
  hi = mpfr_get_d(x, MPFR_RNDN);
  require(std::isfinite(hi), "dft: a result is beyond the range of double");
  mpfr_sub_d(rest, x, hi, MPFR_RNDN);
  lo = mpfr_get_d(rest, MPFR_RNDN);
}

bool is_zero(const ComplexArray<double>& x, std::size_t first, std::size_t n) {
  for (std::size_t i = first; i < first + n; ++i)
    if (x.re[i] != 0 || x.im[i] != 0) return false;
  return true;
}

/// Reads the n inputs from `first` on; parts exchanged, the forward transform is the inverse one.
void load(const ComplexArray<double>& x, std::size_t first, ComplexReals& z, bool exchanged) {
  const auto& re = exchanged ? x.im : x.re;
  const auto& im = exchanged ? x.re : x.im;
  for (std::size_t j = 0; j < z.size(); ++j) {
    mpfr_set_d(z.re[j], re[first + j], MPFR_RNDN);
    mpfr_set_d(z.im[j], im[first + j], MPFR_RNDN);
  }
}

}  // namespace

int bits_of_radius(double radius_rel) {
  if (radius_rel == 0) return exact_bits;
  if (!(radius_rel < 1)) return 0;
  int exponent = 0;
  const double fraction = std::frexp(radius_rel, &exponent);  // radius = fraction * 2^exponent
  return std::min(exact_bits, fraction == 0.5 ? 1 - exponent : -exponent);
}

Truth dft(const ComplexArray<double>& x, std::size_t n, Direction direction, int precision_bits) {
  check(x, n, precision_bits);
  const mpfr_prec_t precision = sufficient_precision(n, precision_bits);
  const auto fourier = cached_fourier(n, precision);
  const bool inverse = direction == Direction::inverse;
  const bool divided = inverse && !std::has_single_bit(n);  // by a power of two it is exact

  Truth truth;
  truth.hi = ComplexArray<double>(x.size());
  truth.lo = ComplexArray<double>(x.size());
  truth.n = n;
  truth.method = "mpfr " + fourier->name() + ", " + std::to_string(precision) + " bits";

  ComplexReals z(n, precision);
  Real rest(precision);
  for (std::size_t first = 0; first < x.size(); first += n) {
    if (is_zero(x, first, n)) continue;
    load(x, first, z, inverse);
    (*fourier)(z);
    if (inverse) std::swap(z.re, z.im);
    double largest = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (inverse) {
        mpfr_div_ui(z.re[k], z.re[k], n, MPFR_RNDN);
        mpfr_div_ui(z.im[k], z.im[k], n, MPFR_RNDN);
      }
      const std::size_t i = first + k;
      store(z.re[k], rest, truth.hi.re[i], truth.lo.re[i]);
      store(z.im[k], rest, truth.hi.im[i], truth.lo.im[i]);
      largest = std::max({largest, std::fabs(truth.hi.re[i]), std::fabs(truth.hi.im[i])});
    }
    const double radius =
        stored_radius(fourier->radius(), divided, static_cast<int>(precision), largest, n);
    truth.radius_rel = std::max(truth.radius_rel, radius);
  }
  truth.bits = bits_of_radius(truth.radius_rel);
  return truth;
}

}  // namespace fftprec::truth

#include "tests/truth/judge.hpp"

#include <acb_dft.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace fftprec::testing {

using truth::Real;

Exact by_definition(const ComplexArray<double>& x, std::size_t n, Direction direction) {
  truth::RealArray cos(n, judge_bits);
  truth::RealArray sin(n, judge_bits);
  Real angle(judge_bits);
  for (std::size_t m = 0; m < n; ++m) {
    mpfr_const_pi(angle, MPFR_RNDN);
    mpfr_mul_ui(angle, angle, 2 * m, MPFR_RNDN);
    mpfr_div_ui(angle, angle, n, MPFR_RNDN);
    mpfr_cos(cos[m], angle, MPFR_RNDN);
    mpfr_sin(sin[m], angle, MPFR_RNDN);
  }
  Exact y(x.size());
  Real term(judge_bits);
  const bool inverse = direction == Direction::inverse;
  for (std::size_t first = 0; first < x.size(); first += n)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t m = inverse ? (n - j * k % n) % n : j * k % n;
        const double re = x.re[first + j];
        const double im = x.im[first + j];
        // (re + i im)(cos - i sin)
        mpfr_mul_d(term, cos[m], re, MPFR_RNDN);
        mpfr_add(y.re[first + k], y.re[first + k], term, MPFR_RNDN);
        mpfr_mul_d(term, sin[m], im, MPFR_RNDN);
        mpfr_add(y.re[first + k], y.re[first + k], term, MPFR_RNDN);
        mpfr_mul_d(term, cos[m], im, MPFR_RNDN);
        mpfr_add(y.im[first + k], y.im[first + k], term, MPFR_RNDN);
        mpfr_mul_d(term, sin[m], re, MPFR_RNDN);
        mpfr_sub(y.im[first + k], y.im[first + k], term, MPFR_RNDN);
      }
  if (inverse)
    for (std::size_t i = 0; i < x.size(); ++i) {
      mpfr_div_ui(y.re[i], y.re[i], n, MPFR_RNDN);
      mpfr_div_ui(y.im[i], y.im[i], n, MPFR_RNDN);
    }
  return y;
}

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

double error_of(const truth::Truth& truth, const Exact& exact) {
  double worst = 0;
  Real error(judge_bits);
  Real part(judge_bits);
  Real errors(judge_bits);
  Real stored(judge_bits);
  const auto add_part = [&](double hi, double lo, mpfr_srcptr value) {
    mpfr_set_d(part, hi, MPFR_RNDN);
    mpfr_add_d(part, part, lo, MPFR_RNDN);
    mpfr_sub(error, part, value, MPFR_RNDN);
    mpfr_fma(errors, error, error, errors, MPFR_RNDN);
    mpfr_fma(stored, part, part, stored, MPFR_RNDN);
  };
  for (std::size_t first = 0; first < truth.hi.size(); first += truth.n) {
    mpfr_set_zero(errors, 1);
    mpfr_set_zero(stored, 1);
    for (std::size_t i = first; i < first + truth.n; ++i) {
      add_part(truth.hi.re[i], truth.lo.re[i], exact.re[i]);
      add_part(truth.hi.im[i], truth.lo.im[i], exact.im[i]);
    }
    if (mpfr_zero_p(errors)) continue;
    mpfr_div(errors, errors, stored, MPFR_RNDU);
    mpfr_sqrt(errors, errors, MPFR_RNDU);
    worst = std::max(worst, mpfr_get_d(errors, MPFR_RNDU));
  }
  return worst;
}

const char* name_of(Stress stress) {
  switch (stress) {
    case Stress::gaussian:
      return "gaussian";
    case Stress::tone:
      return "tone";
    case Stress::impulse:
      return "impulse";
    case Stress::constant_plus_tiny:
      return "constant plus tiny";
    case Stress::ramp:
      return "ramp";
    case Stress::wide:
      return "wide";
    case Stress::huge:
      return "huge";
    case Stress::tiny:
      return "tiny";
    case Stress::subnormal:
      return "subnormal";
  }
  return "";
}

ComplexArray<double> stress_input(Stress stress, std::size_t size, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  ComplexArray<double> x(size);
  for (std::size_t j = 0; j < size; ++j) {
    const double a = normal(generator);
    const double b = normal(generator);
    const double c = normal(generator);
    const auto t = static_cast<double>(j);
    switch (stress) {
      case Stress::gaussian:
        x.re[j] = a, x.im[j] = b;
        break;
      case Stress::tone:
        x.re[j] = std::cos(0.7 * t), x.im[j] = std::sin(0.7 * t);
        break;
      case Stress::impulse:
        x.re[j] = j == seed % size ? 1 : 0;
        break;
      case Stress::constant_plus_tiny:
        x.re[j] = 1 + 0x1p-50 * a, x.im[j] = 0x1p-200 * b;
        break;
      case Stress::ramp:
        x.re[j] = t;
        break;
      case Stress::wide:
        x.re[j] = std::ldexp(a, static_cast<int>(90 * c)), x.im[j] = b;
        break;
      case Stress::huge:
        x.re[j] = 0x1p1000 * a, x.im[j] = 0x1p1000 * b;
        break;
      case Stress::tiny:
        x.re[j] = 0x1p-1000 * a, x.im[j] = 0x1p-1000 * b;
        break;
      case Stress::subnormal:
        x.re[j] = std::ldexp(std::nearbyint(1000 * a), -1074);
        x.im[j] = std::ldexp(std::nearbyint(1000 * b), -1074);
        break;
    }
  }
  return x;
}

}  // namespace fftprec::testing

#include "tests/truth/metrics_judge.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/same_value.hpp"

namespace fftprec::testing {

using truth::Real;
using truth::Truth;

ComplexArray<double> array(std::initializer_list<double> re, std::initializer_list<double> im) {
  ComplexArray<double> x(re.size());
  std::copy(re.begin(), re.end(), x.re.begin());
  std::copy(im.begin(), im.end(), x.im.begin());
  return x;
}

Truth exactly(const ComplexArray<double>& hi) {
  return {hi, ComplexArray<double>(hi.size()), hi.size()};
}

truth::Errors judge(const ComplexArray<double>& y, const Truth& t, const Format& output,
                    mpfr_prec_t bits) {
  Real e2(bits), t2(bits), e1(bits), t1(bits), e_max(bits), t_max(bits), ulp2(bits);
  truth::Errors errors{};
  const auto add = [bits](Real& square, Real& sum, Real& max, const Real& re, const Real& im) {
    Real size(bits);
    mpfr_sqr(size, re, MPFR_RNDN);
    mpfr_fma(size, im, im, size, MPFR_RNDN);
    mpfr_add(square, square, size, MPFR_RNDN);
    mpfr_sqrt(size, size, MPFR_RNDN);
    mpfr_add(sum, sum, size, MPFR_RNDN);
    mpfr_max(max, max, size, MPFR_RNDN);
  };
  const auto part = [&](double y_part, double hi, double lo, Real& e, Real& t_part, double& max) {
    mpfr_set_d(t_part, hi, MPFR_RNDN);
    mpfr_add_d(t_part, t_part, lo, MPFR_RNDN);
    mpfr_d_sub(e, y_part, t_part, MPFR_RNDN);
    Real ratio(bits);
    if (!mpfr_zero_p(static_cast<mpfr_srcptr>(e))) {
      mpfr_div(ratio, e, t_part, MPFR_RNDN);
      mpfr_abs(ratio, ratio, MPFR_RNDN);
    }
    max = std::max(max, mpfr_get_d(ratio, MPFR_RNDN));
    const long exponent = mpfr_zero_p(static_cast<mpfr_srcptr>(t_part))
                              ? output.emin
                              : std::max<long>(mpfr_get_exp(t_part) - 1, output.emin);
    mpfr_mul_2si(ratio, e, -(exponent - output.precision + 1), MPFR_RNDN);
    mpfr_abs(ratio, ratio, MPFR_RNDN);
    errors.max_ulp = std::max(errors.max_ulp, mpfr_get_d(ratio, MPFR_RNDN));
    mpfr_fma(ulp2, ratio, ratio, ulp2, MPFR_RNDN);
  };
  for (std::size_t i = 0; i < y.size(); ++i) {
    Real e_re(bits), e_im(bits), t_re(bits), t_im(bits);
    part(y.re[i], t.hi.re[i], t.lo.re[i], e_re, t_re, errors.re_max_rel);
    part(y.im[i], t.hi.im[i], t.lo.im[i], e_im, t_im, errors.im_max_rel);
    add(e2, e1, e_max, e_re, e_im);
    add(t2, t1, t_max, t_re, t_im);
  }
  const auto quotient = [bits](const Real& a, const Real& b) {
    Real q(bits);
    mpfr_div(q, a, b, MPFR_RNDN);
    return q;
  };
  Real l2 = quotient(e2, t2);
  mpfr_sqrt(l2, l2, MPFR_RNDN);
  errors.l2_rel = mpfr_get_d(l2, MPFR_RNDN);
  mpfr_log2(l2, l2, MPFR_RNDN);
  errors.bits_l2 = -mpfr_get_d(l2, MPFR_RNDN);
  errors.linf_rel = mpfr_get_d(quotient(e_max, t_max), MPFR_RNDN);
  errors.l1_rel = mpfr_get_d(quotient(e1, t1), MPFR_RNDN);
  mpfr_div_ui(ulp2, ulp2, 2 * y.size(), MPFR_RNDN);
  mpfr_sqrt(ulp2, ulp2, MPFR_RNDN);
  errors.rms_ulp = mpfr_get_d(ulp2, MPFR_RNDN);
  return errors;
}

::testing::AssertionResult same_measures(const truth::Errors& found, const truth::Errors& truth) {
  ::testing::AssertionResult wrong = ::testing::AssertionFailure();
  bool all = true;
  const auto compare = [&](const char* name, double a, double b, double scale) {
    if (same(a, b) || std::fabs(a - b) <= truth::rounding_radius * scale + 0x1p-1074) return;
    all = false;
    wrong << name << ": got " << show(a) << ", truth " << show(b) << ", allowed "
          << show(truth::rounding_radius * scale) << "; ";
  };
  compare("l2_rel", found.l2_rel, truth.l2_rel, truth.l2_rel);
  compare("linf_rel", found.linf_rel, truth.linf_rel, truth.linf_rel);
  compare("l1_rel", found.l1_rel, truth.l1_rel, truth.l1_rel);
  compare("re_max_rel", found.re_max_rel, truth.re_max_rel, truth.re_max_rel);
  compare("im_max_rel", found.im_max_rel, truth.im_max_rel, truth.im_max_rel);
  compare("max_ulp", found.max_ulp, truth.max_ulp, truth.max_ulp);
  compare("rms_ulp", found.rms_ulp, truth.rms_ulp, truth.rms_ulp);
  // -log2 changes by log2(e) times the relative error, and rounds once.
  compare("bits_l2", found.bits_l2, truth.bits_l2, 2 + std::fabs(truth.bits_l2));
  return all ? ::testing::AssertionSuccess() : wrong;
}

std::array<double, 15> values_of(const truth::Errors& e) {
  return {e.l2_rel,
          e.linf_rel,
          e.l1_rel,
          e.re_max_rel,
          e.im_max_rel,
          e.max_ulp,
          e.rms_ulp,
          e.bits_l2,
          e.radius.l2_rel,
          e.radius.linf_rel,
          e.radius.l1_rel,
          e.radius.re_max_rel,
          e.radius.im_max_rel,
          e.radius.max_ulp,
          e.radius.rms_ulp};
}

}  // namespace fftprec::testing

#include "arith/truth/window.hpp"

#include <array>
#include <cassert>

namespace fftprec::truth {
namespace {

constexpr mpfr_prec_t guard_bits = 32;

/// 100 w = a + b cos t + c cos 2t.
using CosineTerms = std::array<long, 3>;

/// Evaluated in the precision of `value`: three products and two sums of terms up to 54, a quotient
/// by 100, and cosines within 2^-precision: within 2^(5 - precision) of the formula.
void cosine_sum(mpfr_ptr value, const CosineTerms& terms, mpfr_srcptr cos_t, mpfr_srcptr cos_2t) {
  Real term(mpfr_get_prec(value));
  mpfr_mul_si(value, cos_t, terms[1], MPFR_RNDN);
  mpfr_mul_si(term, cos_2t, terms[2], MPFR_RNDN);
  mpfr_add(value, value, term, MPFR_RNDN);
  mpfr_add_si(value, value, terms[0], MPFR_RNDN);
  mpfr_div_ui(value, value, 100, MPFR_RNDN);
}

/// (m - |2j - m|) / m
void triangle(mpfr_ptr value, std::size_t j, std::size_t m) {
  const std::size_t distance = 2 * j > m ? 2 * j - m : m - 2 * j;
  mpfr_set_ui(value, m - distance, MPFR_RNDN);
  mpfr_div_ui(value, value, m, MPFR_RNDN);
}

CosineTerms terms_of(Window window) {
  switch (window) {
    case Window::hann:
      return {50, -50, 0};
    case Window::hamming:
      return {54, -46, 0};
    case Window::blackman:
      return {42, -50, 8};
    case Window::rectangular:
    case Window::bartlett:
      break;
  }
  return {100, 0, 0};
}

}  // namespace

ComplexReals frame_window(const Framing& framing, mpfr_prec_t precision) {
  const std::size_t m = framing.window_length;
  assert(1 <= m && m <= framing.n);
  const ComplexReals roots = table_of_roots(m, m, precision + guard_bits);
  const std::size_t first = (framing.n - m) / 2;
  ComplexReals frame(framing.n, precision);
  Real value(precision + guard_bits);
  for (std::size_t j = 0; j < m; ++j) {
    if (framing.window == Window::bartlett)
      triangle(value, j, m);
    else
      cosine_sum(value, terms_of(framing.window), roots.re[j], roots.re[2 * j % m]);
    mpfr_set(frame.re[first + j], value, MPFR_RNDN);
  }
  return frame;
}

}  // namespace fftprec::truth

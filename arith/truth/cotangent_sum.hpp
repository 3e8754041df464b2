/// The sum over a line with cotangents as factors, for the run-time certificate (audit.hpp).
#pragma once

#include <cstddef>

#include "arith/truth/audit_numbers.hpp"

namespace fftprec::truth {

/// cot(pi (2 (s - j) + 1)/(2n)) for j = 0, step, 2 step, ... one after the other.
class Cotangents {
 public:
  Cotangents(std::size_t s, std::size_t n, std::size_t step)
      : powers_(exact_root(4 * n - (2 * s + 1), 4 * n), exact_root(step, 2 * n)) {}

  mpfr_srcptr next() {
    mpfr_div(value_, powers_.current().re, powers_.current().im, MPFR_RNDN);
    powers_.advance();
    return value_;
  }

 private:
  Powers powers_;
  Real value_{ComplexReal::precision};
};

/// sum_j x_j (1 + i cot(pi (2 (s - j) + 1)/(2n))), n elements. Requires: s < n.
ComplexReal cotangent_sum(ConstPairView x, std::size_t n, std::size_t s, const Loops& loops);

}  // namespace fftprec::truth

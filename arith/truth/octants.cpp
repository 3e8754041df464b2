#include "arith/truth/octants.hpp"

namespace fftprec::truth {
namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

OctantAngle octant_angle(std::uint64_t k, std::uint64_t n) {
  const Wide quarters = Wide{4} * (k % n);
  const auto quadrant = static_cast<int>(quarters / n);
  const auto rest = static_cast<std::uint64_t>(quarters % n);
  const bool mirrored = rest > n - rest;
  return {mirrored ? n - rest : rest, mirrored, quadrant};
}

void octant_cos_sin(mpfr_ptr cos, mpfr_ptr sin, std::uint64_t numerator, std::uint64_t n) {
  Real angle(mpfr_get_prec(cos));
  mpfr_const_pi(angle, MPFR_RNDN);
  mpfr_mul_ui(angle, angle, numerator, MPFR_RNDN);
  mpfr_div_ui(angle, angle, n, MPFR_RNDN);
  mpfr_div_2ui(angle, angle, 1, MPFR_RNDN);
  mpfr_sin_cos(sin, cos, angle, MPFR_RNDN);
}

}  // namespace fftprec::truth

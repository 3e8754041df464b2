#include "experiments/tables/fp64_angle.hpp"

#include "arith/truth/real.hpp"
#include "arith/truth/roots.hpp"

namespace fftprec {

std::complex<double> fp64_angle_root(std::uint64_t exponent, std::uint64_t order,
                                     const Format& format) {
  constexpr double two_pi = 0x1.921fb54442d18p+2;  // fl(2 pi)
  constexpr mpfr_prec_t fp64_bits = 53;
  const double angle = two_pi * static_cast<double>(exponent) / static_cast<double>(order);
  const truth::MpfrCacheScope scope;
  const truth::Real argument(angle, fp64_bits);
  truth::Real sin(fp64_bits);
  truth::Real cos(fp64_bits);
  mpfr_sin_cos(sin, cos, argument, MPFR_RNDN);
  return {truth::round_unit(mpfr_get_d(cos, MPFR_RNDN), format),
          truth::round_unit(0 - mpfr_get_d(sin, MPFR_RNDN), format)};
}

}  // namespace fftprec

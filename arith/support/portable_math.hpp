/// Functions of the C library that differ between platforms in the last bits, as sums, products and
/// quotients of doubles that round once: equal bits everywhere.
///
/// Bounds, expected errors and laws of errors come from here and from std::sqrt, std::ldexp and the
/// like, which are exact or round once everywhere. The functions are off by few units in the last
/// place (ulp) and take infinities and NaN as those of <cmath>. A zero may lose its sign.
#pragma once

namespace fftprec {

namespace portable {

double exp(double x);    ///< Error: below 1 ulp.
double exp2(double x);   ///< Error: below 2 ulp; none if x is whole.
double expm1(double x);  ///< Error: below 4 ulp.
double log(double x);    ///< Error: below 1 ulp.
double log2(double x);   ///< Error: below 2 ulp; none if x is a power of two.
double log1p(double x);  ///< Error: below 2 ulp.

double erf(double x);   ///< Error: below 3 ulp.
double erfc(double x);  ///< Error: below 6 ulp, of a normal result.
/// The x with erfc(x) = q. Error: below 4 ulp. Requires: 1e-290 <= q <= 1/2.
double erfc_inverse(double q);

double atan(double x);             ///< Error: below 5 ulp.
double cos(double x);              ///< Error: below 2 ulp. Requires: 0 <= x <= pi/2.
double hypot(double a, double b);  ///< sqrt(a^2 + b^2). Error: below 2 ulp.

}  // namespace portable

}  // namespace fftprec

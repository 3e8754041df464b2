/// A-priori error bounds of the MPFR transforms behind the truth, rounded upward.
///
/// All are relative to the exact result in the 2-norm, u = 2^-precision, and hold without further
/// conditions: MPFR's exponents have 62 bits, so nothing overflows or underflows. `mu` bounds the
/// error of a table entry of modulus 1, `rho` = sqrt(5) u that of a plain complex product (Brent,
/// Percival, Zimmermann 2007, Thm 1); g = (1+mu)(1+rho) - 1 is that of a product with a table.
#pragma once

#include <cstddef>

namespace fftprec::truth {

/// Radix-2 transform of length 2^stages: (1+u)^t (1+g)^max(t-2, 0) - 1.
/// Proof: a stage is sqrt(2) times a unitary map. The products disturb its odd inputs by at most g
/// times their norm, the sums each part by at most u of itself: a relative stage error of at most
/// (1+u)(1+g) - 1, and (1+u) - 1 for the first two stages, whose twiddles 1 and -i are exact.
/// Stages compose: prod(1 + b_i) - 1. Source: Brisebarre, Joldes, Muller, Nanes, Picot (2020).
double radix2_radius(int stages, int precision);

/// Transform by definition, n terms one after the other:
/// sqrt(n) ((1+g) (1+u)^(n-1) - 1).
/// Proof: output k errs by at most ((1+g)(1+u)^(n-1) - 1) ||x||_1 <= (...) sqrt(n) ||x||_2; the n
/// outputs together by sqrt(n) times that; the exact result has norm sqrt(n) ||x||_2.
double direct_radius(std::size_t n, int precision);

/// Chirp transform of length n by three radix-2 transforms of length m >= 2n-1 with bound B:
///   (1 + sqrt(2n-1) (e + (1+e) B sqrt(m/n))) (1+g) - 1,   1+e = (1+B)^2 (1+g) (1+mu) (1+rho).
/// Proof: with a = x chirp and h the conjugate chirp, ||h||_2 = sqrt(2n-1), the computed spectra
/// err by (1+B)(1+g) - 1 and (1+B)(1+mu) - 1 of their norms, so by Cauchy and Schwarz their product
/// P errs in the 1-norm by e m ||a||_2 ||h||_2. Through the inverse transform that is at most
/// e ||a|| ||h|| per output, sqrt(n) times that in the 2-norm over n outputs; its own rounding adds
/// B ||P||_2 / sqrt(m) <= B (1+e) sqrt(m) ||a|| ||h||. Divide by sqrt(n) ||x||_2, append the last
/// product.
double bluestein_radius(std::size_t n, std::size_t m, int precision);

/// Transform of length n = 2^levels by double-double (Array = ComplexPairs) or triple-double
/// (ComplexTriples), `products` products by table entries on the way to an output, u = 2^-53.
///
/// Double-double: (1+a)^levels (1+g)^products - 1, a = 3 sqrt(2) u^2 (1 + 4u) and
/// 1+g = (1 + 5 u^2)(1 + 14 sqrt(2) u^2 (1 + 20u)).
/// Proof: of the sum and difference of two values each part errs by 3 u^2 (1 + 4u) (|x| + |y|)
/// (double_double.hpp), together by 6 u^2 (1 + 4u) (x^2 + y^2)^(1/2); their exact norm is sqrt(2)
/// times the root. Table entries err by 5 u^2 (expansion_roots.hpp).
///
/// Triple-double: u^3 2^(products/2) sqrt(n) (13 levels + 102 products).
/// Proof: let M bound both parts of a value and what they were made of (triple_double.hpp). Sums
/// add the M, a product with a root multiplies by at most sqrt(2); so on each level the M of the
/// operands that reach an output sum to 2^(products/2) ||x||_1 <= 2^(products/2) sqrt(n) ||x||_2.
/// Per M a sum errs by 9 sqrt(2) u^3, a product by 43 * 2 u^3 and a root by 16 u^3; each reaches
/// the output with a factor of modulus 1. Over n outputs that is sqrt(n) times as much.
///
/// Underflow adds 2^-500. Requires: data with a part of at least 2^-400, none above 2^800.
template <class Array>
double radix4_radius(int levels, int products);

/// The chirp transform of bluestein_radius in the same arithmetics, `fft` the radius of its
/// transforms; before a product triple-double values get their own majorant, so that it errs by
/// 86 u^3 (1 + 2^-40) of them.
template <class Array>
double bluestein_radius(std::size_t n, std::size_t m, double fft);

}  // namespace fftprec::truth

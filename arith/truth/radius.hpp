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

/// What a transform computed with relative error `computed` owns up to once it is stored as hi + lo
/// and divided by n with one more rounding where `divided`: with c = 2^-106, since hi and lo are
/// each nearest, and d the share of lo's absolute rounding error 2^-1075 below the normal range,
///   b = computed (+ u + computed u),  (b/(1-b) + c) (1+d) / (1-c) + d,
/// relative to the norm of what is stored, whose largest part is `largest`.
/// Infinite if largest = 0: everything underflowed.
/// Requires: computed <= 1/4.
double stored_radius(double computed, bool divided, int precision, double largest, std::size_t n);

}  // namespace fftprec::truth

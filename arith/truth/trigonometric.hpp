/// The truth of transforms of real data that are real or imaginary parts of a longer DFT: cosine
/// and sine transforms, the Hartley transform, and lapped transforms.
///
/// Inputs, errors and precision as in transforms.hpp: real data in, real results out, with im = 0.
/// Each formula is one DFT of the data at the places of its angles: sum over j of x_j
/// cos(2 pi p_j q_k / N) is the real part at q_k of the DFT of N points that holds x_j at p_j.
/// Nothing of the fast algorithms (folding, reflections, half lengths) enters.
#pragma once

#include <cstddef>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/certify.hpp"
#include "arith/truth/chain.hpp"

namespace fftprec::truth {

/// The evaluations of the truths below, in any arithmetic. Each refers to x.
namespace evaluation {
Evaluation dct1(const ComplexArray<double>& x, std::size_t n);
Evaluation dct4(const ComplexArray<double>& x, std::size_t n);
Evaluation dst1(const ComplexArray<double>& x, std::size_t n);
Evaluation dst2(const ComplexArray<double>& x, std::size_t n);
Evaluation dst3(const ComplexArray<double>& x, std::size_t n);
Evaluation dst4(const ComplexArray<double>& x, std::size_t n);
Evaluation hartley(const ComplexArray<double>& x, std::size_t n);
Evaluation mdct(const ComplexArray<double>& x, std::size_t n, bool windowed);
Evaluation imdct(const ComplexArray<double>& x, std::size_t n, bool windowed);
}  // namespace evaluation

/// y_k = x_0 + (-1)^k x_(n-1) + 2 sum over 0 < j < n-1 of x_j cos(pi jk/(n-1)). Throws InputError
/// if n < 2.
inline constexpr Certified<evaluation::dct1> dct1{};

/// y_k = 2 sum over j of x_j cos(pi (2j+1)(2k+1)/(4n)).
inline constexpr Certified<evaluation::dct4> dct4{};

/// y_k = 2 sum over j of x_j sin(pi (j+1)(k+1)/(n+1)).
inline constexpr Certified<evaluation::dst1> dst1{};

/// y_k = 2 sum over j of x_j sin(pi (2j+1)(k+1)/(2n)).
inline constexpr Certified<evaluation::dst2> dst2{};

/// y_k = (-1)^k x_(n-1) + 2 sum over j < n-1 of x_j sin(pi (j+1)(2k+1)/(2n)).
inline constexpr Certified<evaluation::dst3> dst3{};

/// y_k = 2 sum over j of x_j sin(pi (2j+1)(2k+1)/(4n)).
inline constexpr Certified<evaluation::dst4> dst4{};

/// y_k = sum over j of x_j (cos(2 pi jk/n) + sin(2 pi jk/n)).
inline constexpr Certified<evaluation::hartley> hartley{};

/// y_k = sum over j < 2n of w_j x_j cos(pi (2j+1+n)(2k+1)/(4n)), k < n, w_j = sin(pi (2j+1)/(4n))
/// if `windowed`, else 1. Shapes: 2n in, n out.
inline constexpr Certified<evaluation::mdct> mdct{};

/// y_j = w_j sum over k < n of x_k cos(pi (2j+1+n)(2k+1)/(4n)), j < 2n, w_j as in mdct.
/// Shapes: n in, 2n out.
inline constexpr Certified<evaluation::imdct> imdct{};

/// w_j = sin(pi (2j+1)/(4n)), j < 2n, as factors; each within unit_roundoff(precision).
Chain sine_window(std::size_t n, mpfr_prec_t precision);

}  // namespace fftprec::truth

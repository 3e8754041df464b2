/// Roots of unity by recurrences, as FFT libraries compute twiddles: from a few cosines and sines,
/// in a format in which every operation rounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"

namespace fftprec {

/// How w_j = c_j - i s_j = exp(-i j theta), theta = 2 pi/order, follows from earlier roots. Seeds
/// C_k = cos(k theta), S_k = sin(k theta) are correctly rounded; every operation rounds once,
/// operations in brackets first. RMS errors over a circle grow as stated, u the unit roundoff, n
/// the order:
///
///   multiplication     c' = (c C_1) - (s S_1), s' = (c S_1) + (s C_1). u n, by the modulus of the
///                      rounded w_1; by the products alone u sqrt(n).
///   numerical-recipes  h = sin(theta/2) rounded, a = 2 (h h), c' = c - ((a c) + (S_1 s)),
///                      s' = s - ((a s) - (S_1 c)). u sqrt(n). Singleton 1967; `four1` of Numerical
///                      Recipes has the same bits.
///   singleton          numerical-recipes, then q = 0.5/((c' c') + (s' s')) + 0.5, (q c', q s'). u
///   sqrt(n).
///                      Singleton's program of 1969, for arithmetic that truncates.
///   chebyshev          w_(j+1) = (2 C_1 w_j) - w_(j-1), both parts. u n^2, by the rounded C_1; by
///                      the sums alone u n^(3/2).
///   subvector          w_(L+j) = w_L w_j, four products and two sums, 0 < j < L = 2^q, w_L a seed.
///                      u sqrt(log n).
///   logarithmic        c_(L+j) = (2 C_L c_j) - c_(L-j), s_(L+j) = (2 C_L s_j) + s_(L-j). u n.
///   bisection          w_j = h (w_(j-p) + w_(j+p)), h = 0.5/C_p, for odd j/p, p = D/2, D/4, .. 1;
///                      multiples of D, the largest power of two up to n/4, are seeds. u sqrt(log
///                      n): the rounding of h changes all entries of a level, and an entry takes
///                      half of the changes of the levels before; log2 n - 2 levels are a random
///                      walk, until cosines are within a few u of 1.
///
/// Sources: Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992, section 1.4
/// (https://doi.org/10.1137/1.9781611970999); the second and third: Singleton, Comm. ACM 10
/// (1967), 647 (https://doi.org/10.1145/363717.363771), IEEE Trans. Audio Electroacoust. 17 (1969),
/// 93 (https://doi.org/10.1109/TAU.1969.1162042). Errors on average: Tasche, Zeuner, J. Comput.
/// Anal. Appl. 4 (2002); Schatzman, SIAM J. Sci. Comput. 17 (1996), 1150
/// (https://doi.org/10.1137/S1064827593247023).
enum class Recurrence {
  multiplication,
  numerical_recipes,
  singleton,
  chebyshev,
  subvector,
  logarithmic,
  bisection
};

/// Their names, in the order of the enumeration.
const std::vector<std::string>& recurrence_names();

/// Throws InputError for a format of more than 50 digits other than fp64: rounding to it from
/// double would round twice.
void require_recurrence_format(const Format& format);

/// w_j for j < order, its imaginary part -s_j; no zero is negative.
/// Requires: order >= 1, require_recurrence_format(format).
ComplexArray<double> roots_by(Recurrence recurrence, std::size_t order, const Format& format);

/// A bound on |w^_j - w_j| for j <= index < order; infinite where the proof, in recurrences.cpp,
/// does not apply.
double recurrence_error_bound(Recurrence recurrence, std::uint64_t index, const Format& format);

}  // namespace fftprec

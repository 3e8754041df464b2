/// Arrays of MPFR numbers that carry an error bound from step to step: the workbench on which the
/// truth of a transform is put together.
///
/// Every step states what becomes of the bound. Written x~ for what is stored and x for the exact
/// values it stands for, e = ||x~ - x||_2, u = 2^-precision: a linear step of operator norm L
/// leaves L e and adds its own rounding, which is measured at x~.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/bound.hpp"
#include "arith/truth/fourier.hpp"

namespace fftprec::truth {

/// One item's values: ||values - exact||_2 <= error.
struct Chain {
  ComplexReals values;
  Bound error{};

  std::size_t size() const { return values.size(); }
  std::size_t item_size() const { return size(); }
  mpfr_prec_t precision() const { return values.re.precision(); }
};

/// ||x||_2, rounded upward.
Bound norm(const ComplexReals& x);

/// x_first .. x_(first+count-1) without error. Requires: precision >= 53.
Chain exact_values(const ComplexArray<double>& x, std::size_t first, std::size_t count,
                   mpfr_prec_t precision);

/// A source that gathers a zero.
inline constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();

/// y_i = x_(sources_i): selection, extension, padding.
/// Error: sqrt(r) e, where the source used most is used r times: ||y~ - y||^2 is a sum in which
/// each |x~_j - x_j|^2 occurs at most r times.
Chain gathered(const Chain& x, std::span<const std::size_t> sources);

/// Unscaled transforms of every line of `length` elements `stride` apart, for inverse with
/// exp(+2 pi i jk/length).
/// Error: sqrt(length) (e + r ||x~||), r the radius of Fourier: it is relative to the transform of
/// x~, and a transform is sqrt(length) times a unitary map.
/// Requires: length * stride divides x.size().
void transform(Chain& x, std::size_t length, std::size_t stride, Direction direction);

/// x_j <- x_j t_j, t repeated where it is shorter; the t_j stored are each within `table_error` of
/// those meant.
/// Error: (T + table_error) e + table_error ||x~|| + sqrt(5) u (1 + 8u) ||y~||, T = max |t~_j|:
/// |t~ x~ - t x| <= |t| |x~ - x| + |t~ - t| |x~|, and the rounding of the product, sqrt(5) u of the
/// exact one, is at most sqrt(5) u / (1 - sqrt(5) u) of the one stored. It is left out where every
/// operation was exact.
/// Requires: t.size() divides x.size(); equal precisions, of at least 53 bits.
void multiply(Chain& x, const ComplexReals& t, const Bound& table_error);

/// The same with t and t.error, a bound of each value's own error or of their norm.
void multiply(Chain& x, const Chain& t);

/// x_j <- x_j / divisor.
/// Error: e / divisor + u ||y~||; for a power of two e / divisor, as MPFR's exponents suffice.
/// Requires: divisor >= 1.
void divide(Chain& x, std::size_t divisor);

/// Forgets the imaginary parts of exact values that have none. Error: e, as a projection onto the
/// real vectors moves no two vectors apart and leaves the exact one.
void drop_imaginary(Chain& x);

/// The same for one element.
void drop_imaginary(Chain& x, std::size_t i);

/// x_j <- conj x_j for `count` elements from `first` on. Error: e.
void conjugate(Chain& x, std::size_t first, std::size_t count);

/// x_j <- 2 x_j from `first` on, exact. Error: 2 e.
void times_two(Chain& x, std::size_t first);

}  // namespace fftprec::truth

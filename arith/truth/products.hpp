/// The truth of products of sequences of integers: polynomials, cyclic and negacyclic convolutions,
/// the digits of long integers.
///
/// The sequence a_0 .. a_(n-1) becomes one long integer sum_i a_i 2^(w i), GMP multiplies two of
/// them, and the slots of w bits of the product hold the results (Kronecker substitution).
/// Rejected: transforms in MPFR as for cconv1d. They round, so an exact zero has no relative error.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::truth {

/// What x^n becomes in the product of two polynomials of degree below n: x^n still (0), 1 or -1.
enum class Wrap { linear = 0, cyclic = 1, negacyclic = -1 };

/// Results of a product of two sequences of n values: 2n - 1 of a linear one, else n.
constexpr std::size_t product_size(std::size_t n, Wrap wrap) {
  return wrap == Wrap::linear ? 2 * n - 1 : n;
}

/// A product of two sequences of n values.
struct ProductTask {
  std::size_t n = 0;
  Wrap wrap = Wrap::linear;
  bool square = false;    ///< of one sequence with itself
  std::size_t parts = 1;  ///< of each sequence
  std::size_t terms = 1;  ///< pairs of sequences, whose products are summed; or parts, not both
  /// E of an irrational base, 0 for none: with s_j = ceil(E j/n), the term a_i b_j of c_k counts
  /// 2^(s_i + s_j - s_k) times, or 2^(s_i + s_j - s_k - E) times where it wraps around: once or
  /// twice. So c_0 2^s_0 + c_1 2^s_1 + ... is the product modulo 2^E - 1 of numbers with these
  /// digits.
  std::uint64_t exponent = 0;
};

/// c_k = sum_{i+j=k} a_i b_j, 0 <= i, j < n; a cyclic product adds c_(k+n) to c_k, a negacyclic one
/// subtracts it. Of sequences in p parts each, 2p - 1 results follow one another, result s the sum
/// of the products of parts i and j with i + j = s. Of t terms the result is the sum of the
/// products of term i of a and term i of b.
/// Shapes: an item of `operands` is a, part by part or term by term, then b, n values each; of a
/// `square` it is a alone, and b = a. An item of the truth has (2p - 1) product_size results; im =
/// 0.
/// Rounds: only when results are stored. Values need not be integers, but with an exponent: each
/// operand is taken as integers times the power of two of its lowest bit.
/// The weights of weighted products have enough digits for the nearest integer to be the result; it
/// is checked that one is near.
/// Error: that of storing, 0 where every result fits into two doubles.
/// Throws InputError if sizes disagree, an imaginary part is not zero, a value is not finite, a
/// tier other than gmp is requested, the long integer of an operand has more than 2^32 bits, or a
/// result is beyond the range of double; for parts and terms together; with an exponent if the
/// product is not cyclic, is in parts or terms, or is not of integers.
Truth product(const ComplexArray<double>& operands, const ProductTask& task,
              const TruthOptions& options = {});

}  // namespace fftprec::truth

/// Roots of unity in double-double or triple-double for any exponent, each at the cost of one
/// product.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/truth/complex_pairs.hpp"
#include "arith/truth/complex_triples.hpp"

namespace fftprec::truth {

/// exp(-2 pi i e/order) = coarse_h (1 + fine_l), e = h 2^b + l: two short tables, both from MPFR,
/// each part rounded to the nearest double and what is left to the nearest again.
///
/// Error: |value - root| <= 5 u^2 in ComplexPairs and 16 u^3 in ComplexTriples, u = 2^-53; none
/// where l = 0 and the root is 1, -1, i or -i.
/// Proof: coarse errs by u^2 and fine, at most 2 pi/511 in modulus or 0, by u^2 of itself. Of
/// c + c d the product errs by 14 sqrt(2) u^2 (1 + 20u) |c d| and the sum by 3 u^2 (1 + 4u)
/// (|c| + |c d|) (double_double.hpp): (1 + 3) u^2 + (1 + 19.8 + 3) u^2 |d| < 4.3 u^2. In
/// triple-double the tables err by sqrt(2) u^3, the product by 86 u^3 |d| and the sum by
/// 9 sqrt(2) u^3 (1 + |d|) (triple_double.hpp): below 16 u^3.
template <class Array>
class ExpansionRoots {
 public:
  /// Requires: 1 <= order <= 2^40.
  explicit ExpansionRoots(std::uint64_t order);

  /// Requires: exponent < order.
  ComplexOf<typename Array::Number> operator()(std::uint64_t exponent) const {
    const auto c = coarse_.at(exponent >> fine_bits_);
    return c + c * fine_.at(exponent & ((std::uint64_t{1} << fine_bits_) - 1));
  }

  std::uint64_t order() const { return order_; }
  int fine_bits() const { return fine_bits_; }
  const Array& coarse() const { return coarse_; }  ///< exp(-2 pi i h 2^b/order)
  const Array& fine() const { return fine_; }      ///< exp(-2 pi i l/order) - 1, l < 2^b

 private:
  std::uint64_t order_;
  int fine_bits_;
  Array coarse_;
  Array fine_;
};

using PairRoots = ExpansionRoots<ComplexPairs>;

/// All `order` roots, exponent by exponent.
template <class Array>
Array all_roots(const ExpansionRoots<Array>& roots) {
  Array all(roots.order());
  for (std::uint64_t e = 0; e < roots.order(); ++e) all.set(e, roots(e));
  return all;
}

}  // namespace fftprec::truth

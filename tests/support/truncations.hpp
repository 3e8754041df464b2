/// What slices and residues leave out of products: what the results of both are held against.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "arith/splitting/slices.hpp"

namespace fftprec::testing {

/// Bound on |a b - sum of the kept products of slices| relative to 2^(E_a + E_b), for the products
/// of kept_slice_products and one real product a b. Proof: with J_i products kept of factor slice
/// a_i, a b - sum = (a - sum_i a_i) b + sum_i a_i (b - sum_{j < J_i} b_j), and slice_truncation
/// bounds each difference, and a_i.
inline double sliced_product_truncation(std::size_t factor_slices, std::size_t data_slices,
                                        int bits_factor, int bits_data) {
  double bound = slice_truncation(factor_slices, bits_factor);
  for (std::size_t i = 0; i < factor_slices; ++i) {
    const std::size_t kept = std::min(data_slices, std::max(factor_slices, data_slices) - i);
    bound += slice_truncation(i, bits_factor) * slice_truncation(kept, bits_data);
  }
  return bound;
}

/// What the rounding to integers costs: |computed - exact| of a complex product's real or imaginary
/// part, relative to 2^(E_data + E_factor) (see group_exponents) and before the one rounding of the
/// result: depth (2^-bits_data + 2^-bits_factor). Proof: an entry a becomes a' with |a - a'| <=
/// 2^(E - bits - 1) and |a'| <= 2^E; xw - x'w' = x (w - w') + w' (x - x'); 2 depth such products.
inline double residue_truncation(std::size_t depth, int bits_data, int bits_factor) {
  return static_cast<double>(depth) * (std::ldexp(1.0, -bits_data) + std::ldexp(1.0, -bits_factor));
}

}  // namespace fftprec::testing

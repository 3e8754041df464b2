/// What the rounding to integers leaves out of products of residues: what results are held against.
#pragma once

#include <cmath>
#include <cstddef>

namespace fftprec::testing {

/// What the rounding to integers costs: |computed - exact| of a complex product's real or imaginary
/// part, relative to 2^(E_data + E_factor) (see group_exponents) and before the one rounding of the
/// result: depth (2^-bits_data + 2^-bits_factor). Proof: an entry a becomes a' with |a - a'| <=
/// 2^(E - bits - 1) and |a'| <= 2^E; xw - x'w' = x (w - w') + w' (x - x'); 2 depth such products.
inline double residue_truncation(std::size_t depth, int bits_data, int bits_factor) {
  return static_cast<double>(depth) * (std::ldexp(1.0, -bits_data) + std::ldexp(1.0, -bits_factor));
}

}  // namespace fftprec::testing

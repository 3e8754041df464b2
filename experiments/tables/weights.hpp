/// Weights of an irrational base: the real tables of weighted cyclic products.
///
/// Digit j of a number modulo 2^E - 1 in n digits begins at bit ceil(E j/n). Multiplied by
/// 2^(ceil(E j/n) - E j/n), digits take the equal steps of the base 2^(E/n).
/// Source: Crandall, Fagin, Math. Comp. 62 (1994) 305.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arith/formats/format.hpp"

namespace fftprec {

/// ceil(E j/n): where digit j begins.
std::uint64_t first_bit(std::uint64_t exponent, std::size_t n, std::size_t j);

/// 2^f_j, or 2^-f_j if `inverse`, f_j = ceil(E j/n) - E j/n, each rounded once to the format
/// whatever the source of other tables; of j = 0, stride, 2 stride, ... below n.
std::vector<double> irrational_base_weights(std::uint64_t exponent, std::size_t n, bool inverse,
                                            const Format& format, std::size_t stride = 1);

}  // namespace fftprec

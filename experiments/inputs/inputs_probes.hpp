/// Inputs that show one property of a matrix unit. As operands of a product (transform cgemm),
/// whose second operand is the input of the next seed, an even seed gives the probe against ones.
///
/// Source: Fasi, Higham, Mikaitis, Pranesh, PeerJ Comput. Sci. 7 (2021) e330, sections 3 and 4.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// 1 + 2^-7 everywhere, imaginary parts 0: squares are 1 + 2^-6 + 2^-14 if products are exact, and
/// 1 + 2^-6 if they are rounded to bf16.
ComplexArray<double> probe_product(std::size_t n, std::size_t batch);

/// 1, then 1.5 2^-24: a sum that rounds to nearest grows by 2^-23 a step, one that truncates stays
/// at 1, an exact one grows by what is added; the errors of the first two are as 1 to 3. (Closer to
/// 2^-24, as usual where the sum itself is read, they are alike.) An odd seed gives ones.
ComplexArray<double> probe_rounding(std::size_t n, std::size_t batch, std::uint64_t seed);

/// 2^24 at the first place, -2^24 at the last, 1 at the second, else 0: a chain from either end
/// loses the 1 in one order and not in the other. An odd seed gives ones.
ComplexArray<double> probe_order(std::size_t n, std::size_t batch, std::uint64_t seed);

}  // namespace fftprec

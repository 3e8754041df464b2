/// Where an algorithm's tables come from: it asks for roots of unity, it never computes one.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>

#include "arith/formats/format.hpp"

namespace fftprec {

/// exp(-2 pi i exponent/order), each part on the grid of `format`.
///
/// The exponent comes as the algorithm forms it and is *not* reduced modulo the order (k*j of a DFT
/// matrix, n*n of a chirp), because some table sources form the angle from it as it is, and the
/// rounding error of that angle grows with its size. Safe to call from several threads.
using RootFunction =
    std::function<std::complex<double>(std::uint64_t exponent, std::uint64_t order, const Format&)>;

}  // namespace fftprec

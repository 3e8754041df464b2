/// The table source fp64-angle: what double precision makes of an angle that is not reduced.
#pragma once

#include <complex>
#include <cstdint>

#include "arith/formats/format.hpp"

namespace fftprec {

/// cos(angle) - i sin(angle), angle = fl(fl(fl(2 pi) fl(exponent)) / fl(order)) in fp64, each part
/// correctly rounded to fp64, then to the format.
/// Cost: some 10 microseconds, for MPFR does it.
/// Requires: order >= 1, truth::require_table_format(format).
std::complex<double> fp64_angle_root(std::uint64_t exponent, std::uint64_t order,
                                     const Format& format);

}  // namespace fftprec

/// The version of the numbers: results of equal version are comparable bit for bit.
#pragma once

namespace fftprec {

/// Bumped whenever the bits of any emulated result, table or input, or of any bound, may change.
inline constexpr int numerics_version = 10;

}  // namespace fftprec

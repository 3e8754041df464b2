/// The presets by family, in the order in which machines() lists them.
#pragma once

#include <vector>

#include "arith/machines/machine.hpp"

namespace fftprec {

/// Trainium, as documented and with one assumption changed at a time, and `ieee`.
std::vector<Machine> trainium_presets();

/// Matrix units of other vendors, after published models.
std::vector<Machine> vendor_presets();

}  // namespace fftprec

/// How long a case would take on a device: the cycle model with calibrated launch times.
#pragma once

#include <string_view>

#include "algorithms/theory/cycle_model.hpp"
#include "experiments/cases/case.hpp"

namespace fftprec {

/// case_time of the case on that generation, by the launch times of its calibration. Throws
/// NotApplicable where the model has no time, InputError for an unknown name.
DeviceTime calibrated_time(const Case& where, std::string_view generation);

}  // namespace fftprec

#include "experiments/devices/calibrated_time.hpp"

#include "experiments/cases/resolved_case.hpp"
#include "experiments/devices/case_time.hpp"
#include "experiments/devices/latencies.hpp"

namespace fftprec {

DeviceTime calibrated_time(const Case& where, std::string_view generation) {
  return case_time(where, resolve(where), generation_named(generation),
                   calibration_of(generation).launch);
}

}  // namespace fftprec

/// What `fftprec identify` says, as text.
#pragma once

#include <string>
#include <vector>

#include "experiments/identify/fft_probes.hpp"
#include "experiments/identify/identify.hpp"

namespace fftprec::commands {

/// The machine that fits, what decides each of its parameters and what stays open; or that none
/// fits, where the nearest one fails, and the smallest failing probe in binary.
std::string identification_text(const identify::Identification& found,
                                const identify::Operands& operands);

/// Of one length: the variants that give every bit, or the nearest; the outputs' bits and error,
/// and the table that the impulses read out.
std::string fft_identification_text(const identify::FftIdentification& found);

/// One line for each group of presets that no probe tells apart.
std::string preset_groups_text(const std::vector<std::vector<std::string>>& groups);

}  // namespace fftprec::commands

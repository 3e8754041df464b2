/// Predictions beside measurements as a figure. A pure function.
#pragma once

#include <cstddef>
#include <string>

#include "experiments/silicon/explain.hpp"
#include "reports/figures/figure.hpp"

namespace fftprec::silicon {

/// Predicted over published error of each row on a logarithmic axis, with the interval that holds
/// 95 % of the prediction, for the first `most` variants that fit, or the nearest if none does; the
/// grey bar is what the published digits leave open. Ratios, since rows are decades apart and what
/// fits differs in the second digit.
/// Requires: a ranked variant.
figures::Figure explanation_figure(const std::string& name, const silicon::Explanation& explanation,
                                   std::size_t most = 7);

}  // namespace fftprec::silicon

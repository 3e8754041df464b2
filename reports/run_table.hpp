/// The table that `fftprec run` ends with.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/row.hpp"

namespace fftprec {

/// One line per algorithm, mode and n: measured rows, median err_l2_rel, largest err_l2_rel /
/// bound_l2_rel; then how many rows are ok, skipped and failed, with the first failure.
/// NaN counts as the largest value; 0/0 as 0. Empty where nothing was measured.
std::string run_table(std::span<const Row> rows);

/// The middle value, or the mean of the two middle ones; NaN if there is none or any is NaN.
double median(std::vector<double> values);

}  // namespace fftprec

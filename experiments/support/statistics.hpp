/// Medians, slopes and ratios of measured numbers.
#pragma once

#include <span>
#include <vector>

namespace fftprec {

/// The middle value, or the mean of the two middle ones; NaN if `values` is empty or has a NaN.
double median(std::vector<double> values);

/// value / limit for value, limit >= 0. 0/0 is 0; no value is below a limit that is NaN.
double ratio_of(double value, double limit);

/// The slope of the least-squares line, for gates and summaries: sum (x_i - mean x)(y_i - mean y) /
/// sum (x_i - mean x)^2 in two passes. NaN unless two x differ. Requires: as many x as y.
double fitted_slope(std::span<const double> x, std::span<const double> y);

}  // namespace fftprec

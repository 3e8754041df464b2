/// Medians, slopes and ratios of measured numbers.
#pragma once

#include <span>
#include <vector>

namespace fftprec {

/// The middle value, or the mean of the two middle ones; NaN if there is none or any is NaN.
double median(std::vector<double> values);

/// value / limit for value, limit >= 0: 0/0 is 0, and nothing is below a limit that is NaN.
double ratio_of(double value, double limit);

/// Of the line by least squares, sum (x_i - mean x)(y_i - mean y) / sum (x_i - mean x)^2 in two
/// passes, the one fit of slopes in gates and summaries. NaN unless two x differ.
/// Requires: as many x as y.
double fitted_slope(std::span<const double> x, std::span<const double> y);

}  // namespace fftprec

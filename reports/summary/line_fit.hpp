/// The straight line through points by least squares: the one fit of slopes in gates and summaries.
#pragma once

#include <span>

namespace fftprec {

/// y = slope x + intercept.
struct Line {
  double slope;
  double intercept;
};

/// slope = sum (x_i - mean x)(y_i - mean y) / sum (x_i - mean x)^2, in two passes; the line goes
/// through the means. NaN unless two x differ.
/// Requires: as many x as y.
Line fit_line(std::span<const double> x, std::span<const double> y);

}  // namespace fftprec

/// Where the tics of a plot stand and what they say.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "reports/plots/plot_figure.hpp"

namespace fftprec {

/// Smallest and largest of the values seen; low > high if there was none.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }

  /// What a logarithmic axis can show; the rest is left out.
  void add_positive(double value) {
    if (value > 0 && !std::isinf(value)) add(value);
  }
};

/// A mark on an axis; one without a label is short.
struct Tic {
  std::string at;     ///< a number as gnuplot reads it
  std::string label;  ///< with markup: 10^{-3}
};

/// For gnuplot's `set ytics`; with bare tics the labels are left out.
std::string tic_list(const std::vector<Tic>& tics, bool bare = false);

/// The vertical axis, shared by all panels.
struct YAxis {
  bool logarithmic;
  double low;
  double high;
  double floor;       ///< where zeros are drawn; 0 if there are none
  std::string label;  ///< quantity and norm
  std::vector<Tic> tics;
};

YAxis y_axis(const Figure& figure);

/// The horizontal axis: logarithmic to base 2, at most `labels` labels.
struct XAxis {
  double low;
  double high;
  std::string label;
  std::vector<Tic> tics;
};

XAxis x_axis(const Figure& figure, std::size_t labels);

}  // namespace fftprec

/// One panel of error against cost, as text for gnuplot: shared by the report and the figure alone.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_cost.hpp"

namespace fftprec {

/// A logarithmic axis in decades, with a place for zeros below it.
struct Decades {
  double low;
  double high;
  double zero;  ///< where zeros stand; 0 if there are none
  std::vector<Tic> tics;

  /// Where `value` stands.
  double placed(double value) const { return value > 0 ? value : zero; }
};

struct CostAxes {
  Decades cost;
  Decades error;
};

/// For all the figures together, with at most so many labels of costs. Errors from decade to
/// decade, costs from 1, 2 or 5 times a power of ten to another. Zeros are called "none" and
/// "exact".
CostAxes cost_axes(std::span<const CostFigure> figures, int most_cost_labels);

/// Both axes as settings of gnuplot; without labels, the tics of the error are bare.
std::string cost_axis_settings(const CostAxes& axes, bool labelled);

/// A number beside a point of the front; points that nearly coincide share one: "3-5".
struct FrontLabel {
  std::size_t point;   ///< index of the first
  std::size_t number;  ///< its own
  std::string text;
};

std::vector<FrontLabel> front_labels(const CostFigure& figure, const CostAxes& axes);

/// The same as settings of gnuplot.
std::string cost_front_labels(const CostFigure& figure, const CostAxes& axes);

/// The blocks of the data file for `figure`: the front, then per mode its front and its points.
std::string cost_data(const CostFigure& figure, const CostAxes& axes);

/// The plot command for these blocks, of which the first has number `block`, which moves on to the
/// next panel's. A titled curve is called as cost_drawing says.
std::string cost_curves(const CostFigure& figure, std::size_t& block, bool titled);

}  // namespace fftprec

/// Panels as SVG without gnuplot: axes, curves, points and bars, drawn plainly.
///
/// Each is an element of a page. Colours are variables of the style sheet, and curves are groups,
/// as in inline_svg; shapes are those of point_shapes().
#pragma once

#include <cstddef>
#include <string>

#include "reports/plots/plot_cost_panel.hpp"
#include "reports/plots/plot_figure.hpp"
#include "reports/plots/plot_histogram.hpp"
#include "reports/plots/plot_panel.hpp"

namespace fftprec {

/// Panel i with the axes that panel_drawing gives it: ranges, medians, bounds and expected values.
std::string plain_svg(const Figure& figure, std::size_t i, const PanelSize& size);

/// Points, the fronts of the modes and of all. Requires: has_cost(figure).
std::string plain_cost_svg(const CostFigure& figure, const CostAxes& axes, const PanelSize& size);

/// The bars of panel i and the line at the bound.
std::string plain_histogram_svg(const Histogram& histogram, std::size_t i,
                                const HistogramAxes& axes, const PanelSize& size);

}  // namespace fftprec

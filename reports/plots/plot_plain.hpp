/// A panel as SVG without gnuplot: axes, medians, bounds and expected values, drawn plainly.
#pragma once

#include <cstddef>
#include <string>

#include "reports/plots/plot_figure.hpp"
#include "reports/plots/plot_panel.hpp"

namespace fftprec {

/// Panel i as an element of a page, with the axes that panel_drawing gives it. Colours are
/// variables of the style sheet, and curves are groups, as in inline_svg; shapes are those of
/// point_shapes().
std::string plain_svg(const Figure& figure, std::size_t i, const PanelSize& size);

}  // namespace fftprec

/// gnuplot's SVG made fit for a page: no prolog, no ids, no fixed colours, curves that can be
/// found.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "reports/plots/plot_figure.hpp"

namespace fftprec {

/// What hovering over a curve tells, by its title "STYLE PART" (see plot_curves).
using CurveNames = std::function<std::string(std::size_t style, std::string_view part)>;

/// "bf16: worst-case bound" for the series of `figure`.
CurveNames curve_names(const Figure& figure);

/// `svg` as an element of a page, with `label` for those who cannot see it. A curve titled
/// "3 bound" becomes a group of class "curve bound" with data-series="3". Colours become variables
/// of the style sheet, so that the page can be light or dark; the shapes of points are those of
/// point_shapes(). An image that is not as gnuplot 5 writes it keeps what is not understood.
std::string inline_svg(std::string_view svg, std::string_view label, const CurveNames& names);

/// The shapes of points, to be put into the page once.
std::string point_shapes();

/// Line and shape of a series, as a legend shows it.
std::string series_swatch(std::size_t style);

/// `text` with every variable of the style sheet replaced by its colour on light paper, for an
/// image that stands outside a page.
std::string without_variables(std::string_view text);

/// The colour of a series as a variable of the style sheet: "var(--c3)".
std::string series_variable(std::size_t style);

}  // namespace fftprec

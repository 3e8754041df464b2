/// The one back end: a figure as SVG, for a file of its own and for a page. Pure functions, which
/// give equal bytes everywhere: coordinates have two decimals.
///
/// Colours are classes, so that a picture is light or dark as its reader's system is. librsvg,
/// which makes PNG and PDF of it, knows neither variables nor that query: these are light.
#pragma once

#include <cstddef>
#include <string>

#include "reports/figures/figure.hpp"

namespace fftprec::figures {

struct Size {
  int width = 0;  ///< pixels
  int height = 0;
};

/// The whole figure as a file: as many panels side by side as there is room for, title above,
/// legend at the right or on top. No text is cut, and none covers data. Requires: a panel.
std::string svg_document(const Figure& figure);

/// Panel i alone on a canvas of this size, or of the size that its frame asks for, as an element of
/// a page, which has title and legend of its own, style_sheet() and mark_shapes(). Layers are
/// groups of the classes `curve` and their part, with data-series.
std::string svg_element(const Figure& figure, std::size_t i, Size size = {});

/// A panel with a fixed frame, whose canvas is as large as that asks for at this width.
std::string svg_element(const Figure& figure, int width);

/// A sample of a layer for a legend in a page.
std::string swatch(const Layer& sample);

/// The shapes of marks, to be put into a page once.
std::string mark_shapes();

/// The classes of colours, for a page whose style sheet has the variables --ink, --soft, --line,
/// --grid and --paper; those of series, --c0 to --c7, are defined here, for light and dark.
std::string style_sheet();

}  // namespace fftprec::figures

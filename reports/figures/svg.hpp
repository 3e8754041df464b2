/// The only back end: figures as SVG, for files and for pages. Pure functions. Coordinates have two
/// decimals, so that the bytes are equal everywhere.
///
/// Colours are classes, so that a picture follows the light or dark setting of its reader's system.
/// librsvg, which makes PNG and PDF, supports neither variables nor this query: these are light.
#pragma once

#include <cstddef>
#include <string>

#include "reports/figures/figure.hpp"

namespace fftprec::figures {

struct Size {
  int width = 0;  ///< pixels
  int height = 0;
};

/// The whole figure as a file: as many panels side by side as fit, the title above, the legend at
/// the right or on top. No text is cut or covers data. Requires: a panel.
std::string svg_document(const Figure& figure);

/// Panel i alone, as an element of a page, on a canvas of this size or of the size of its frame.
/// The page has title, legend, style_sheet() and mark_shapes(). Layers are groups of the classes
/// `curve` and their part, with data-series.
std::string svg_element(const Figure& figure, std::size_t i, Size size = {});

/// A panel with a fixed frame, on the canvas that it needs at this width.
std::string svg_element(const Figure& figure, int width);

/// A sample of a layer for a legend in a page.
std::string swatch(const Layer& sample);

/// The shapes of marks, needed once per page.
std::string mark_shapes();

/// The classes of colours. The style sheet of the page must define the variables --ink, --soft,
/// --line, --grid and --paper; those of series, --c0 to --c7, are defined here, for light and dark.
std::string style_sheet();

}  // namespace fftprec::figures

/// One panel of a figure on a canvas of its own, to be set into a page that has title and legend.
#pragma once

#include <string>

#include "reports/plots/plot_figure.hpp"
#include "reports/plots/plot_process.hpp"

namespace fftprec {

struct PanelSize {
  int width;  ///< pixels
  int height;
};

/// Terminal, fonts and margins of an SVG `name`.svg; of what another script left, nothing stays.
std::string panel_header(const std::string& name, const PanelSize& size);

/// Names of the axes.
std::string panel_labels(const std::string& x, const std::string& y, const PanelSize& size);

/// Panel i with the axes of the whole figure, or its own where the request says so. Its curves are
/// titled (see plot_curves), so that they can be found in the SVG.
Drawing panel_drawing(const std::string& name, const Figure& figure, std::size_t i,
                      const PanelSize& size);

}  // namespace fftprec

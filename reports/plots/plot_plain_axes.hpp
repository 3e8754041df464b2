/// Axes of a panel as SVG, without gnuplot: where numbers stand, and the frame around them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_panel.hpp"

namespace fftprec {

struct PlainAxis {
  double low;
  double high;
  bool logarithmic;
  double zero;  ///< where zeros of a logarithmic axis stand
  std::string label;
  std::vector<Tic> tics;
};

PlainAxis plain_axis(const XAxis& x);
PlainAxis plain_axis(const YAxis& y);

/// From numbers to pixels of a panel of this size.
class PlainCanvas {
 public:
  static constexpr double left = 70;
  static constexpr double right = 20;
  static constexpr double top = 12;
  static constexpr double bottom = 48;

  PlainCanvas(PlainAxis x, PlainAxis y, const PanelSize& size);

  double across(double x) const;
  double down(double y) const;

  /// Tics, grid lines, names of the axes.
  std::string frame() const;

  /// The panel as an element of a page, with `curves` within its frame.
  std::string element(std::string_view label, std::string_view curves) const;

 private:
  PlainAxis x_;
  PlainAxis y_;
  PanelSize size_;
};

/// "10^{-3}" with its exponent raised, as content of an SVG text.
std::string raised(const std::string& label);

/// A text of SVG; `markup` is its content.
std::string text_at(double x, double y, std::string_view anchor, const std::string& markup,
                    std::string_view more = "");

}  // namespace fftprec

/// The colours of a heat map: from numbers to gnuplot's palette.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "reports/plots/plot_heatmap.hpp"

namespace fftprec {

/// How cells of a kind without a number look, and what the legend says of them.
struct CellLook {
  CellKind kind;
  std::string_view name;  ///< in the data file
  std::string_view legend;
  std::string_view fill;
  std::string_view ink;
  bool hatched;
};

/// Luminance tells apart what colour may not: white and vermilion are not on the scale, grey is
/// hatched, and each has its own letter.
std::span<const CellLook> cell_looks();

/// Viridis, dark for small values: even steps of lightness, the same to all kinds of colour vision.
/// Source: van der Walt and Smith, matplotlib (2015); nine of its colours.
std::string palette();

/// "#21918c": the colour of a shade from 0 to 1, between the nine.
std::string palette_colour(double shade);

/// Below it white text reads better than black.
inline constexpr double dark_shade = 0.43;

/// The colours of a panel, or of all.
struct ColourScale {
  bool logarithmic;
  double low;  ///< low < high
  double high;
};

/// Where `value` stands between low, 0, and high, 1.
double shade_of(double value, const ColourScale& scale);

/// From the smallest to the largest value of the cells, a factor of 2 apart (bits: 1) at the least,
/// so that a small difference does not look large. Without a value: 1 to 2.
ColourScale colour_scale(std::span<const HeatPanel> panels, const std::string& y);

/// The scale as settings of gnuplot, with shade(value) from 0 at `low` to 1 at `high`.
std::string colour_settings(const ColourScale& scale);

/// Tics of the colour bar, about `most`: powers of ten, or 1, 2, 5 times them where there is room;
/// bits by even steps.
std::string colour_tics(const ColourScale& scale, std::size_t most);

}  // namespace fftprec

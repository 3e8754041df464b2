/// How series are told apart: colour, shape of the points, dashes of the line.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

/// Okabe and Ito's colours for series, told apart by all kinds of colour vision; then they repeat.
std::span<const std::string_view> series_colours();
std::string_view series_colour(std::size_t style);

/// The point type of gnuplot.
int series_shape(std::size_t style);

/// Lengths of dashes and gaps of the line, in tenths of a millimetre or so; empty: solid. Solid as
/// long as no colour repeats, then a pattern of its own for each round of colours, so that colour,
/// shape and dashes repeat together only after 288 styles. None is that of a bound or an expected
/// value.
std::span<const int> series_dashes(std::size_t style);

/// "16,4,3,4"; empty: solid.
std::string dash_list(std::size_t style);

/// The style of each of `names`, all different. A name keeps its place in `listed` where it can, so
/// that it looks the same in every figure; up to 8 names have 8 colours.
std::vector<std::size_t> series_styles(const std::vector<std::string>& names,
                                       const std::vector<std::string>& listed);

}  // namespace fftprec

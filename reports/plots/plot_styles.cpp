#include "reports/plots/plot_styles.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace fftprec {

namespace {

/// Okabe and Ito (2008), without the yellow, which is too pale for a line on white.
constexpr std::array<std::string_view, 8> colours = {"#0072B2", "#56B4E9", "#000000", "#D55E00",
                                                     "#E69F00", "#CC79A7", "#009E73", "#7F7F7F"};

/// Point types of gnuplot: filled and open circle, square, triangle, diamond, pentagon. Nine, so
/// that colours and shapes repeat together only after 72 series.
constexpr std::array<int, 9> shapes = {7, 6, 5, 9, 8, 13, 11, 15, 4};

constexpr std::array<int, 4> dash_dot = {16, 4, 3, 4};
constexpr std::array<int, 2> short_dash = {6, 4};
constexpr std::array<int, 6> dash_dot_dot = {16, 4, 3, 4, 3, 4};
constexpr std::array<std::span<const int>, 4> dashes = {std::span<const int>(), dash_dot,
                                                        short_dash, dash_dot_dot};

}  // namespace

std::string_view series_colour(std::size_t style) { return colours[style % colours.size()]; }

std::span<const std::string_view> series_colours() { return colours; }

int series_shape(std::size_t style) { return shapes[style % shapes.size()]; }

std::span<const int> series_dashes(std::size_t style) {
  return dashes[style / colours.size() % dashes.size()];
}

std::string dash_list(std::size_t style) {
  return fmt::format("{}", fmt::join(series_dashes(style), ","));
}

std::vector<std::size_t> series_styles(const std::vector<std::string>& names,
                                       const std::vector<std::string>& listed) {
  std::vector<std::optional<std::size_t>> styles(names.size());
  std::set<std::size_t> taken;
  const auto take = [&](std::size_t i, std::size_t style) {
    if (!styles[i] && taken.insert(style).second) styles[i] = style;
  };
  std::vector<std::size_t> ranks;
  for (const std::string& name : names)
    ranks.push_back(
        static_cast<std::size_t>(std::find(listed.begin(), listed.end(), name) - listed.begin()));
  for (std::size_t i = 0; i < names.size(); ++i)
    if (ranks[i] < listed.size() && ranks[i] < colours.size()) take(i, ranks[i]);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (ranks[i] < listed.size()) take(i, ranks[i] % colours.size());
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t style = 0; !styles[i]; ++style) take(i, style);
    all.push_back(*styles[i]);
  }
  return all;
}

}  // namespace fftprec

/// The parts that all Vega-Lite specifications share: a figure of panels, each with data inline.
///
/// Vega-Lite 5 (vega.github.io/schema/vega-lite/v5.json): a figure is a `concat` of layered views
/// with explicit scales, so that every reader draws the same axes, series and colours as the
/// gnuplot script, and a zero stands on the line "exact".
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_figure.hpp"

namespace fftprec::vega {

using Json = nlohmann::ordered_json;

/// Schema, title and subtitle, side by side as many panels as gnuplot puts there, legends shared.
Json figure(const std::string& title, const std::string& subtitle, std::vector<Json> panels,
            std::size_t columns);

/// A layered view of this size over its own rows. Pixels.
Json panel(const std::string& title, const std::string& subtitle, std::vector<Json> rows,
           std::vector<Json> layers, int width, int height);

/// A logarithmic axis from low to high with these tics; `floor` is called `floor_name` if above 0.
Json log_axis(const std::string& field, const std::string& title, double low, double high,
              const std::vector<Tic>& tics, double floor, const std::string& floor_name);

/// A linear axis.
Json linear_axis(const std::string& field, const std::string& title, double low, double high);

/// The encodings by `field` that tell `series` apart: "color", "shape" (of points only), and
/// "strokeDash" (of lines only) where dashes are needed.
Json colour_of(const std::string& field, std::span<const Series> series);
Json shape_of(const std::string& field, std::span<const Series> series);
Json dash_of(const std::string& field, std::span<const Series> series);

/// A finite number, or null.
Json number(double value);

/// As a text for a file.
std::string text_of(const Json& spec);

}  // namespace fftprec::vega

#include "reports/plots/vega_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/support/decimal.hpp"
#include "reports/plots/plot_styles.hpp"

namespace fftprec::vega {

namespace {

/// The shape that comes nearest to gnuplot's point type. Paths are in a square from -1 to 1.
std::string shape_named(int point_type) {
  switch (point_type) {
    case 7:
      return "circle";
    case 6:
      return "cross";
    case 5:
      return "square";
    case 9:
      return "triangle-up";
    case 8:
      return "triangle-right";
    case 13:
      return "diamond";
    case 11:
      return "triangle-down";
    case 4:
      return "triangle-left";
    default:
      return "M0,1L0.951,0.309L0.588,-0.809L-0.588,-0.809L-0.951,0.309Z";
  }
}

/// What gnuplot reads at a tic, "2.0**-3", "1e-7", or "floor", as a number.
double value_of(const Tic& tic, double floor) {
  if (tic.at == "floor") return floor;
  if (tic.at.starts_with("2.0**")) return std::exp2(parse_double(tic.at.substr(5)).value_or(0));
  return parse_double(tic.at).value_or(0);
}

template <class Range>
Json by_series(const std::string& field, std::span<const Series> series, Range range) {
  std::vector<std::string> names;
  std::vector<Json> values;
  for (const Series& each : series) {
    names.push_back(each.name);
    values.push_back(range(each));
  }
  return {{"field", field},
          {"type", "nominal"},
          {"sort", names},
          {"title", nullptr},
          {"scale", {{"domain", names}, {"range", values}}},
          {"legend", {{"labelLimit", 0}, {"symbolOpacity", 1}}}};
}

}  // namespace

Json figure(const std::string& title, const std::string& subtitle, std::vector<Json> panels,
            std::size_t columns) {
  return {{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
          {"title",
           {{"text", title},
            {"subtitle", subtitle},
            {"subtitleColor", "#666666"},
            {"anchor", "start"},
            {"fontSize", 17}}},
          {"columns", columns},
          {"spacing", 34},
          {"concat", std::move(panels)},
          {"resolve",
           {{"scale", {{"color", "shared"}, {"shape", "shared"}, {"strokeDash", "shared"}}}}},
          {"config",
           {{"axis", {{"gridColor", "#e6e6e6"}, {"domainColor", "#666666"}}},
            {"axisX", {{"grid", false}}},
            {"view", {{"stroke", nullptr}}},
            {"background", "#ffffff"}}}};
}

Json panel(const std::string& title, const std::string& subtitle, std::vector<Json> rows,
           std::vector<Json> layers, int width, int height) {
  return {{"title",
           {{"text", title},
            {"subtitle", subtitle},
            {"anchor", "start"},
            {"frame", "group"},
            {"fontWeight", "normal"}}},
          {"width", width},
          {"height", height},
          {"data", {{"values", std::move(rows)}}},
          {"layer", std::move(layers)}};
}

Json log_axis(const std::string& field, const std::string& title, double low, double high,
              const std::vector<Tic>& tics, double floor, const std::string& floor_name) {
  std::vector<double> values;
  bool binary = false;
  for (const Tic& tic : tics) {
    const double value = value_of(tic, floor);
    if (!tic.label.empty() && low <= value && value <= high) values.push_back(value);
    binary = binary || tic.at.starts_with("2.0**");
  }
  const std::string number = binary ? "datum.value" : "format(datum.value, '.0e')";
  const std::string label = floor > 0 ? fmt::format("datum.value <= {} ? '{}' : {}",
                                                    shortest(floor * 1.0001), floor_name, number)
                                      : number;
  Json axis = {{"values", values}, {"labelExpr", label}};
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"type", "log"}, {"domain", {low, high}}, {"nice", false}}},
          {"axis", std::move(axis)}};
}

Json linear_axis(const std::string& field, const std::string& title, double low, double high) {
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"domain", {low, high}}, {"nice", false}, {"zero", false}}}};
}

Json colour_of(const std::string& field, std::span<const Series> series) {
  return by_series(field, series,
                   [](const Series& each) { return Json(series_colour(each.style)); });
}

Json shape_of(const std::string& field, std::span<const Series> series) {
  return by_series(field, series,
                   [](const Series& each) { return Json(shape_named(series_shape(each.style))); });
}

Json dash_of(const std::string& field, std::span<const Series> series) {
  return by_series(field, series, [](const Series& each) {
    const std::span<const int> dashes = series_dashes(each.style);
    return dashes.empty() ? Json({1, 0}) : Json(std::vector<int>(dashes.begin(), dashes.end()));
  });
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string text_of(const Json& spec) {
  return spec.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fftprec::vega

#include "reports/plots/plot_grid.hpp"
#include "reports/plots/plot_script.hpp"
#include "reports/plots/vega_figures.hpp"
#include "reports/plots/vega_spec.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

using vega::Json;

/// One row per point. What stands on a logarithmic axis has its own field beside the true value.
std::vector<Json> rows_of(const Panel& panel, const FigureRequest& request, const YAxis& y) {
  const auto placed = [&y](double value) {
    return vega::number(y.logarithmic && value <= 0 ? y.floor : value);
  };
  std::vector<Json> rows;
  for (const Series& series : panel.series)
    for (const Point& point : series.points) {
      Json row = {{"series", series.name},
                  {request.x, point.x},
                  {"median", vega::number(point.median)},
                  {"at", placed(point.median)},
                  {"low", placed(point.low)},
                  {"high", placed(point.high)},
                  {"rows", point.count},
                  {"exact", point.zeros}};
      if (point.bound) row["bound"] = vega::number(*point.bound);
      if (point.expected) row["expected"] = vega::number(*point.expected);
      rows.push_back(std::move(row));
    }
  return rows;
}

bool has(const std::vector<Json>& rows, const char* field) {
  for (const Json& row : rows)
    if (row.contains(field)) return true;
  return false;
}

}  // namespace

std::string vega_lines(const Figure& figure) {
  const FigureRequest& request = figure.request;
  const GridTexts texts = figure_texts(figure);
  const Grid grid = grid_of(texts);
  const XAxis x = x_axis(figure, static_cast<std::size_t>(grid.panel_width / 56));
  const Json x_channel = vega::log_axis(request.x, x.label, x.low, x.high, x.tics, 0, "");
  const Json colour = vega::colour_of("series", figure.legend);
  std::vector<Json> panels;
  for (const Panel& panel : figure.panels) {
    const YAxis y =
        request.own_y_range ? y_axis(Figure{request, {}, {}, {panel}, {}, 0}) : y_axis(figure);
    const auto y_channel = [&](const std::string& field) {
      return y.logarithmic ? vega::log_axis(field, y.label, y.low, y.high, y.tics, y.floor, "exact")
                           : vega::linear_axis(field, y.label, y.low, y.high);
    };
    std::vector<Json> rows = rows_of(panel, request, y);
    std::vector<Json> layers = {{{"mark", {{"type", "area"}, {"opacity", 0.12}}},
                                 {"encoding",
                                  {{"x", x_channel},
                                   {"y", y_channel("low")},
                                   {"y2", {{"field", "high"}}},
                                   {"color", colour}}}}};
    const auto model = [&](const char* field, std::vector<int> dash, double width) {
      if (!has(rows, field)) return;
      layers.push_back(
          {{"mark", {{"type", "line"}, {"strokeDash", dash}, {"strokeWidth", width}}},
           {"encoding", {{"x", x_channel}, {"y", y_channel(field)}, {"color", colour}}}});
    };
    model("bound", {9, 5}, 1);
    model("expected", {1, 3}, 1.5);
    layers.push_back({{"mark", {{"type", "line"}, {"strokeWidth", 1.8}}},
                      {"encoding",
                       {{"x", x_channel},
                        {"y", y_channel("at")},
                        {"color", colour},
                        {"strokeDash", vega::dash_of("series", figure.legend)}}}});
    std::vector<Json> told;
    for (const char* field :
         {"series", "median", "low", "high", "bound", "expected", "rows", "exact"})
      if (has(rows, field)) told.push_back(Json::object({{"field", field}}));
    told.insert(told.begin() + 1, Json::object({{"field", request.x}}));
    layers.push_back({{"mark", {{"type", "point"}, {"filled", true}, {"opacity", 1}, {"size", 46}}},
                      {"encoding",
                       {{"x", x_channel},
                        {"y", y_channel("at")},
                        {"color", colour},
                        {"shape", vega::shape_of("series", figure.legend)},
                        {"tooltip", told}}}});
    panels.push_back(vega::panel(panel.name, "", std::move(rows), std::move(layers),
                                 grid.panel_width, grid.panel_height));
  }
  const std::string key = "; dashed: worst-case bound, dotted: expected value, band: range";
  return vega::text_of(
      vega::figure(texts.title, texts.subtitle + key, std::move(panels), grid.columns));
}

}  // namespace fftprec

#include "reports/plots/plot_colours.hpp"
#include "reports/plots/plot_heatmap_layout.hpp"
#include "reports/plots/vega_figures.hpp"
#include "reports/plots/vega_spec.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

using vega::Json;

/// Colours are those of the page and of gnuplot, so they come with the cells.
Json row_of(const HeatCell& cell, const HeatMap& map, const ColourScale& scale) {
  std::string fill;
  std::string ink;
  std::string kind = "value";
  if (cell.kind == CellKind::value) {
    const double shade = shade_of(cell.value, scale);
    fill = palette_colour(shade);
    ink = shade < dark_shade ? "#ffffff" : "#111111";
  }
  for (const CellLook& look : cell_looks())
    if (look.kind == cell.kind) {
      fill = look.fill;
      ink = look.ink;
      kind = look.name;
    }
  return {{map.request.x, map.columns[cell.column]},
          {map.request.series, map.rows[cell.row]},
          {"kind", kind},
          {"value", cell.kind == CellKind::value ? vega::number(cell.value) : Json(nullptr)},
          {"text", cell_text(cell, map.request.y)},
          {"rows", cell.count},
          {"fill", fill},
          {"ink", ink}};
}

Json axis_of(const std::string& field, const std::vector<std::string>& names) {
  return {{"field", field},
          {"type", "nominal"},
          {"title", field},
          {"sort", names},
          {"scale", {{"domain", names}}},
          {"axis", {{"labelLimit", 0}}}};
}

}  // namespace

std::string vega_heat_map(const HeatMap& map) {
  const FigureRequest& request = map.request;
  const HeatMapLayout layout = heat_map_layout(map);
  std::vector<std::string> stops;
  for (int i = 0; i <= 8; ++i) stops.push_back(palette_colour(i / 8.0));
  std::vector<Json> panels;
  for (std::size_t i = 0; i < map.panels.size(); ++i) {
    const HeatPanel& panel = map.panels[i];
    const ColourScale scale = request.own_y_range ? colour_scale({&panel, 1}, request.y)
                                                  : colour_scale(map.panels, request.y);
    const Json x = axis_of(request.x, map.columns);
    const Json y = axis_of(request.series, map.rows);
    const Json colour = {{"field", "value"},
                         {"type", "quantitative"},
                         {"title", quantity_label(request.y)},
                         {"scale",
                          {{"type", scale.logarithmic ? "log" : "linear"},
                           {"domain", {scale.low, scale.high}},
                           {"range", stops}}}};
    const Json told = {{{"field", request.x}},
                       {{"field", request.series}},
                       {{"field", "value"}},
                       {{"field", "kind"}},
                       {{"field", "rows"}}};
    std::vector<Json> rows;
    for (const HeatCell& cell : panel.cells) rows.push_back(row_of(cell, map, scale));
    const Json given = {{"field", "fill"}, {"type", "nominal"}, {"scale", nullptr}};
    const Json ink = {{"field", "ink"}, {"type", "nominal"}, {"scale", nullptr}};
    std::vector<Json> layers = {
        {{"transform", {{{"filter", "datum.kind === 'value'"}}}},
         {"mark", {{"type", "rect"}, {"stroke", "#ffffff"}}},
         {"encoding", {{"x", x}, {"y", y}, {"color", colour}, {"tooltip", told}}}},
        {{"transform", {{{"filter", "datum.kind !== 'value'"}}}},
         {"mark", {{"type", "rect"}, {"stroke", "#bbbbbb"}}},
         {"encoding", {{"x", x}, {"y", y}, {"fill", given}, {"tooltip", told}}}},
        {{"mark", {{"type", "text"}, {"fontSize", 11}}},
         {"encoding", {{"x", x}, {"y", y}, {"text", {{"field", "text"}}}, {"fill", ink}}}}};
    panels.push_back(vega::panel(panel_title(map, i), "", std::move(rows), std::move(layers),
                                 layout.panel_width, layout.panel_height));
  }
  Json spec = vega::figure(request.title, heat_map_subtitle(map), std::move(panels), layout.across);
  if (request.own_y_range) spec["resolve"]["scale"]["color"] = "independent";
  return vega::text_of(spec);
}

}  // namespace fftprec

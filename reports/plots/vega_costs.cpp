#include <algorithm>

#include "reports/plots/plot_cost_figure.hpp"
#include "reports/plots/plot_cost_panel.hpp"
#include "reports/plots/plot_styles.hpp"
#include "reports/plots/vega_figures.hpp"
#include "reports/plots/vega_spec.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

using vega::Json;

std::vector<Json> rows_of(const CostFigure& figure, const CostAxes& axes) {
  std::vector<Json> rows;
  std::size_t number = 0;
  for (const CostPoint& point : figure.points) {
    Json row = {{"algorithm", point.algorithm},
                {"mode", point.mode},
                {"cost", vega::number(point.cost)},
                {"error", vega::number(point.error)},
                {"cost_at", vega::number(axes.cost.placed(point.cost))},
                {"error_at", vega::number(axes.error.placed(point.error))},
                {"rows", point.count},
                {"mode_front", point.on_mode_front}};
    if (point.on_front) row["front"] = ++number;
    rows.push_back(std::move(row));
  }
  for (const FrontLabel& label : front_labels(figure, axes))
    rows[label.point]["front_label"] = label.text;
  return rows;
}

}  // namespace

std::string vega_costs(const std::string& title, std::span<const CostFigure> figures) {
  const GridTexts texts = cost_texts("", title, figures);
  const Grid grid = grid_of(texts);
  const CostAxes axes = cost_axes(figures, std::max(3, grid.panel_width / 60));
  const std::vector<Series> modes = modes_of(figures);
  const Json x = vega::log_axis("cost_at", quantity_label(figures.front().cost), axes.cost.low,
                                axes.cost.high, axes.cost.tics, axes.cost.zero, "none");
  const Json y = vega::log_axis("error_at", quantity_label(figures.front().error), axes.error.low,
                                axes.error.high, axes.error.tics, axes.error.zero, "exact");
  const Json colour = vega::colour_of("mode", modes);
  std::vector<Json> panels;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    std::vector<Json> layers = {
        {{"transform", {{{"filter", "isValid(datum.front)"}}}},
         {"mark",
          {{"type", "line"},
           {"interpolate", "step-after"},
           {"color", "#666666"},
           {"strokeDash", {2, 4}},
           {"strokeWidth", 2.2}}},
         {"encoding", {{"x", x}, {"y", y}}}},
        {{"transform", {{{"filter", "datum.mode_front"}}}},
         {"mark", {{"type", "line"}, {"interpolate", "step-after"}, {"strokeWidth", 1}}},
         {"encoding", {{"x", x}, {"y", y}, {"color", colour}}}},
        {{"mark", {{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}}},
         {"encoding",
          {{"x", x},
           {"y", y},
           {"color", colour},
           {"shape", vega::shape_of("mode", modes)},
           {"tooltip",
            {{{"field", "front"}},
             {{"field", "algorithm"}},
             {{"field", "mode"}},
             {{"field", "cost"}},
             {{"field", "error"}},
             {{"field", "rows"}}}}}}},
        {{"transform", {{{"filter", "isValid(datum.front_label)"}}}},
         {"mark", {{"type", "text"}, {"align", "right"}, {"dx", -8}, {"fontSize", 12}}},
         {"encoding", {{"x", x}, {"y", y}, {"text", {{"field", "front_label"}}}}}}};
    panels.push_back(vega::panel(texts.panels[i], "", rows_of(figures[i], axes), std::move(layers),
                                 grid.panel_width, grid.panel_height));
  }
  return vega::text_of(vega::figure(texts.title, texts.subtitle, std::move(panels), grid.columns));
}

}  // namespace fftprec

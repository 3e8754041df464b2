#include "reports/plots/plot_draw.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "arith/support/error.hpp"
#include "reports/plots/plot_cost_figure.hpp"
#include "reports/plots/plot_heatmap.hpp"
#include "reports/plots/plot_heatmap_script.hpp"
#include "reports/plots/plot_histogram_figure.hpp"
#include "reports/plots/plot_plain_figures.hpp"
#include "reports/plots/plot_script.hpp"
#include "reports/plots/vega_figures.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

constexpr std::array<std::pair<std::string_view, PlotKind>, 4> kinds = {
    {{"lines", PlotKind::lines},
     {"heatmap", PlotKind::heatmap},
     {"cost", PlotKind::cost},
     {"histogram", PlotKind::histogram}}};

constexpr std::size_t most_lengths = 6;  ///< of a cost figure

std::vector<Drawing> draw_lines(std::span<const Row> rows, const FigureRequest& request,
                                const NameOrders& orders) {
  const Figure figure = gather(rows, request, orders);
  if (figure.panels.empty()) return {};
  return {{.name = request.name,
           .data = plot_data(figure),
           .script = plot_script(figure),
           .vega = vega_lines(figure),
           .plain = plain_lines(figure)}};
}

std::vector<Drawing> draw_heat_map(std::span<const Row> rows, const FigureRequest& request,
                                   const NameOrders& orders) {
  const HeatMap map = gather_heat_map(rows, request, orders);
  if (map.panels.empty()) return {};
  return {{.name = request.name,
           .data = heat_map_data(map),
           .script = heat_map_script(map),
           .vega = vega_heat_map(map),
           .plain = plain_heat_map(map)}};
}

std::vector<Row> selected(std::span<const Row> rows, const Selection& where) {
  std::vector<Row> some;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(some),
               [&where](const Row& row) { return selects(where, row); });
  return some;
}

std::vector<Drawing> draw_costs(std::span<const Row> rows, const FigureRequest& request,
                                const NameOrders& orders) {
  const std::vector<Row> some = selected(rows, request.where);
  std::vector<std::string> costs = {request.x};
  if (request.x.empty()) costs.assign(default_costs().begin(), default_costs().end());
  std::vector<Drawing> drawings;
  for (const std::string& cost : costs) {
    const auto figures = gather_cost_figures(some, cost, most_lengths, orders, request.y);
    if (figures.empty()) continue;
    const bool named = !request.name.empty() && costs.size() == 1;
    const std::string title =
        !request.title.empty() ? request.title : "Error against " + quantity_label(cost);
    Drawing drawing =
        costs_drawing(named ? request.name : request.y + "_vs_" + cost, title, figures);
    drawing.vega = vega_costs(title, figures);
    drawing.plain = plain_costs(title, figures);
    drawings.push_back(std::move(drawing));
  }
  return drawings;
}

std::vector<Drawing> draw_histogram(std::span<const Row> rows, const FigureRequest& request,
                                    const NameOrders& orders) {
  const Histogram histogram = gather_histogram(selected(rows, request.where), orders);
  if (histogram.panels.empty()) return {};
  Drawing drawing = histograms_drawing(request.name, request.title, histogram);
  drawing.vega = vega_histogram(request.title, histogram);
  drawing.plain = plain_histogram(request.title, histogram);
  return {std::move(drawing)};
}

}  // namespace

PlotKind plot_kind_named(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [each, kind] : kinds) {
    if (each == name) return kind;
    known.emplace_back(each);
  }
  throw unknown_name("plot kind", name, known);
}

std::vector<Drawing> draw(std::span<const Row> rows, const FigureRequest& request,
                          const NameOrders& orders) {
  switch (request.kind) {
    case PlotKind::lines:
      return draw_lines(rows, request, orders);
    case PlotKind::heatmap:
      return draw_heat_map(rows, request, orders);
    case PlotKind::cost:
      return draw_costs(rows, request, orders);
    case PlotKind::histogram:
      return draw_histogram(rows, request, orders);
  }
  return {};
}

std::vector<Drawing> draw_all(std::span<const Row> rows, std::span<const FigureRequest> requests,
                              const NameOrders& orders) {
  std::vector<Drawing> drawings;
  for (const FigureRequest& request : requests) {
    std::vector<Drawing> drawn = draw(rows, request, orders);
    std::move(drawn.begin(), drawn.end(), std::back_inserter(drawings));
  }
  return drawings;
}

}  // namespace fftprec

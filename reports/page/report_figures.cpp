#include "reports/page/report_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/page/report_svg.hpp"
#include "reports/plots/plot_budget.hpp"
#include "reports/plots/plot_panel.hpp"
#include "reports/plots/plot_plain.hpp"
#include "reports/plots/plot_stages.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

constexpr PanelSize large{500, 370};
constexpr PanelSize small{360, 270};
constexpr PanelSize square{460, 360};
constexpr int stages_width = 800;
constexpr std::size_t most_views = 48;  ///< of each kind
constexpr std::size_t most_panels = 48;
constexpr std::size_t most_lengths = 8;

/// The rows with this value, whatever its letters; a filter's text would need none of its own.
Selection rows_with(const std::string& axis, const std::string& value) {
  Selection selection;
  selection.texts = {axis + "=" + value};
  selection.filter.conditions.push_back(
      {&column_named(axis), Comparison::equal, {{value, std::nullopt, std::nullopt}}});
  return selection;
}

std::vector<std::string> measured_names(std::span<const Row> rows, const std::string& axis,
                                        const NameOrders& orders) {
  const Column& column = column_named(axis);
  std::map<std::string, const Row*> first;
  for (const Row& row : rows)
    if (row.status == Status::ok && row.err_l2_rel) first.try_emplace(column.text(row), &row);
  std::vector<const Row*> samples;
  for (const auto& [name, row] : first) samples.push_back(row);
  return ordered_names(samples, axis, orders);
}

/// A bound of 10^20 says nothing, and would flatten everything else. Tells what it left out.
std::string drop_void_models(Figure& figure) {
  double limit = 10;
  for (const Panel& panel : figure.panels)
    for (const Series& series : panel.series)
      for (const Point& point : series.points) limit = std::max(limit, 10 * point.high);
  std::size_t dropped = 0;
  for (Panel& panel : figure.panels)
    for (Series& series : panel.series)
      for (Point& point : series.points)
        for (std::optional<double>* model : {&point.bound, &point.expected})
          if (*model > limit) {
            model->reset();
            ++dropped;
          }
  if (dropped == 0) return {};
  return fmt::format(" Bounds and expected values above {:.3g} are not drawn.", limit);
}

void add_views(ReportFigures& figures, std::span<const Row> rows, const std::string& axis,
               const std::string& series, const NameOrders& orders) {
  std::size_t count = 0;
  for (const std::string& name : measured_names(rows, axis, orders)) {
    if (++count > most_views) {
      figures.views_left_out.push_back(axis + " " + name);
      continue;
    }
    const FigureRequest request{.name = "view",
                                .title = "Error against transform length: " + axis + " " + name,
                                .series = series,
                                .panel = "",
                                .where = rows_with(axis, name)};
    Figure figure = gather(rows, request, orders);
    if (figure.panels.empty() || figure.panels.front().series.empty()) continue;
    const std::string note = drop_void_models(figure);
    figures.views.push_back({image_name("view", figures.views.size()), axis, name, figure, note});
  }
}

std::vector<CostFigure> cost_figures(std::span<const Row> rows, const NameOrders& orders) {
  std::vector<std::uint64_t> lengths;
  for (const std::uint64_t n : measured_lengths(rows))
    if (gather_costs(rows, "mac_count", n, orders).points.size() > 1) lengths.push_back(n);
  std::vector<CostFigure> figures;
  for (const std::uint64_t n : spread_lengths(lengths, most_lengths))
    for (const std::string_view cost : default_costs())
      figures.push_back(gather_costs(rows, std::string(cost), n, orders));
  return figures;
}

void add_panels(std::vector<Drawing>& drawings, const Figure& figure, std::string_view name) {
  for (std::size_t i = 0; i < std::min(figure.panels.size(), most_panels); ++i)
    drawings.push_back(panel_drawing(image_name(name, i), figure, i, small));
}

/// What a drawing is called for those who cannot see it, and what its curves are called.
struct Labels {
  std::string drawing;
  CurveNames curves;
};

std::map<std::string, Labels> labels_of(const ReportFigures& figures) {
  std::map<std::string, Labels> labels;
  for (const View& view : figures.views)
    labels[view.id] = {view.figure.request.title, curve_names(view.figure)};
  for (const auto& [name, figure] :
       {std::pair{"algorithm", &figures.by_algorithm}, std::pair{"input", &figures.by_input}})
    for (std::size_t i = 0; i < figure->panels.size(); ++i)
      labels[image_name(name, i)] = {
          figure->request.title + ": " + name + " " + figure->panels[i].name, curve_names(*figure)};
  for (std::size_t i = 0; i < figures.costs.size(); ++i) {
    const CostFigure& figure = figures.costs[i];
    const CurveNames modes = curve_names(Figure{{}, {}, {}, {}, figure.modes, 0});
    labels[image_name("cost", i)] = {
        fmt::format("Error against {}, n = {}", quantity_label(figure.cost), figure.n),
        [modes](std::size_t style, std::string_view part) {
          return part == "all" ? std::string("front of all modes")
                               : modes(style, part == "front" ? "front" : "algorithms");
        }};
  }
  for (std::size_t i = 0; i < figures.histogram.panels.size(); ++i) {
    const std::string& mode = figures.histogram.panels[i].name;
    labels[image_name("histogram", i)] = {"Histogram of error over worst-case bound: " + mode,
                                          [mode](std::size_t, std::string_view) { return mode; }};
  }
  labels[std::string(stages_image)] = {
      "Error after each stage",
      [](std::size_t, std::string_view part) { return stages_curve(part); }};
  labels[std::string(budget_image)] = {
      "Error by source", [](std::size_t, std::string_view source) { return std::string(source); }};
  return labels;
}

std::map<std::string, std::string> plain_images(const ReportFigures& figures) {
  std::map<std::string, std::string> svg;
  for (const View& view : figures.views) svg[view.id] = plain_svg(view.figure, 0, large);
  for (const auto& [name, figure] :
       {std::pair{"algorithm", &figures.by_algorithm}, std::pair{"input", &figures.by_input}})
    for (std::size_t i = 0; i < std::min(figure->panels.size(), most_panels); ++i)
      svg[image_name(name, i)] = plain_svg(*figure, i, small);
  for (std::size_t i = 0; i < figures.costs.size(); ++i)
    if (const CostFigure& figure = figures.costs[i]; has_cost(figure))
      svg[image_name("cost", i)] =
          plain_cost_svg(figure, cost_axes({&figure, 1}, square.width / 70), square);
  const Histogram& histogram = figures.histogram;
  for (std::size_t i = 0; i < std::min(histogram.panels.size(), most_panels); ++i)
    svg[image_name("histogram", i)] = plain_histogram_svg(
        histogram, i, histogram_axes({&histogram.panels[i], 1}, histogram), i == 0 ? large : small);
  return svg;
}

}  // namespace

std::string image_name(std::string_view figure, std::size_t i) {
  return fmt::format("{}-{}", figure, i);
}

ReportFigures gather_report_figures(std::span<const Row> rows, const NameOrders& orders) {
  ReportFigures figures;
  add_views(figures, rows, "algorithm", "mode", orders);
  add_views(figures, rows, "mode", "algorithm", orders);
  figures.by_algorithm =
      gather(rows, {.name = "algorithm", .title = "Error against transform length"}, orders);
  figures.by_input = gather(
      rows, {.name = "input", .title = "Error against transform length", .panel = "input"}, orders);
  figures.by_algorithm_note = drop_void_models(figures.by_algorithm);
  figures.by_input_note = drop_void_models(figures.by_input);
  figures.bits = gather_heat_map(
      rows, {.name = "bits", .title = "Bits correct", .y = "bits_l2", .series = "mode"}, orders);
  figures.costs = cost_figures(rows, orders);
  figures.histogram = gather_histogram(rows, orders);
  return figures;
}

std::vector<Drawing> report_drawings(const ReportFigures& figures) {
  std::vector<Drawing> drawings;
  for (const View& view : figures.views)
    drawings.push_back(panel_drawing(view.id, view.figure, 0, large));
  add_panels(drawings, figures.by_algorithm, "algorithm");
  add_panels(drawings, figures.by_input, "input");
  for (std::size_t i = 0; i < figures.costs.size(); ++i)
    if (has_cost(figures.costs[i]))
      drawings.push_back(cost_drawing(image_name("cost", i), figures.costs[i], square));
  for (std::size_t i = 0; i < std::min(figures.histogram.panels.size(), most_panels); ++i)
    drawings.push_back(histogram_drawing(image_name("histogram", i), figures.histogram, i,
                                         i == 0 ? large : small));
  if (figures.stages.errors)
    drawings.push_back(
        stages_panel(std::string(stages_image), *figures.stages.errors, stages_width));
  if (figures.stages.budget && !figures.stages.budget->stages.empty())
    drawings.push_back(
        budget_panel(std::string(budget_image), *figures.stages.budget, stages_width));
  return drawings;
}

Images draw_images(const ReportFigures& figures, const std::string& program) {
  const std::vector<Drawing> drawings = report_drawings(figures);
  const SvgTexts svgs = draw_svgs(drawings, program);
  if (!svgs.problem.empty()) return {plain_images(figures), svgs.problem};
  const std::map<std::string, Labels> labels = labels_of(figures);
  Images images;
  for (std::size_t i = 0; i < svgs.texts.size(); ++i) {
    const Labels& each = labels.at(drawings[i].name);
    images.svg[drawings[i].name] = inline_svg(svgs.texts[i], each.drawing, each.curves);
  }
  return images;
}

}  // namespace fftprec

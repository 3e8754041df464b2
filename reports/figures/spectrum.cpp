#include "reports/figures/spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "arith/support/error.hpp"
#include "experiments/attribution/worst_output.hpp"
#include "experiments/cases/evaluate.hpp"

namespace fftprec::figures {

namespace {

Layer curve_of(const std::vector<double>& squares, const std::string& name, std::size_t style) {
  Layer layer{.part = "error",
              .style = style,
              .colour = series_class(style),
              .width = 1.4,
              .dashes = series_dashes(style),
              .tip = name};
  // What is exact has no level: the curve passes it by.
  for (std::size_t k = 0; k < squares.size(); ++k)
    if (squares[k] > 0)
      layer.spots.push_back({.x = static_cast<double>(k), .y = 10 * std::log10(squares[k])});
  return layer;
}

FigureRequest spectrum_request(FigureRequest request) {
  if (!request.x.empty() || !request.y.empty() || request.own_y_range)
    throw InputError(request.place +
                     "kind spectrum takes no x, y or scale: it draws every output's error");
  if (request.series.empty()) request.series = "mode";
  complete(request, "", request.series == "algorithm" ? "mode" : "algorithm");
  complete_titles(request, "error_spectrum", "Error of each output");
  return request;
}

std::vector<Figure> draw_spectrum(std::span<const Row> rows, const FigureRequest& asked,
                                  const NameOrders& orders) {
  const FigureRequest request = spectrum_request(asked);
  std::vector<const Row*> shown;
  for (const Row& row : rows)
    if (row.status == Status::ok && selects(request.where, row)) shown.push_back(&row);
  if (shown.empty()) return {};
  const FixedAxes axes = fix_axes(shown, {request.series, request.panel}, request.series);
  std::erase_if(shown, [keep = row_filter(axes)](const Row* row) { return !keep(row); });
  Figure figure{.name = request.name,
                .title = request.title,
                .subtitle = axes.held + (axes.pooled.empty() ? "" : "; mean over " + axes.pooled)};
  const std::vector<std::string> names = ordered_names(shown, request.series, orders);
  const std::vector<std::size_t> styles =
      series_styles(names, listed_names(orders, request.series));
  Session session;
  Range levels;
  for (const std::string& name : ordered_names(shown, request.panel, orders)) {
    Panel panel{.title = name};
    std::size_t longest = 1;
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::vector<const Row*> group;
      for (const Row* row : shown)
        if (axis_text(*row, request.panel) == name && axis_text(*row, request.series) == names[i])
          group.push_back(row);
      if (group.empty()) continue;
      const std::vector<double> squares = error_spectrum(session, group);
      longest = std::max(longest, squares.size());
      panel.layers.push_back(curve_of(squares, names[i], styles[i]));
      for (const Spot& spot : panel.layers.back().spots) levels.add(spot.y);
    }
    panel.x = even_steps(0, static_cast<double>(longest), "output", 8);
    figure.panels.push_back(std::move(panel));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    figure.legend.push_back(series_entry(names[i], styles[i]));
    figure.legend.back().sample.mark = Mark::none;
  }
  for (Panel& panel : figure.panels) {
    panel.y = even_steps(levels.low - 3, levels.high + 3, "error, dB of the largest output", 8);
    panel.y.grid = true;
  }
  return {figure};
}

}  // namespace

PlotKind spectrum_kind() { return {"spectrum", spectrum_request, draw_spectrum}; }

std::vector<double> error_spectrum(Session& session, const std::vector<const Row*>& rows) {
  std::vector<double> squares;
  for (const Row* row : rows) {
    const Problem problem = make_problem(problem_key(row->where));
    const ComplexArray<double> y =
        run_case(session.plan(row->where), problem.input, {.round_trip = false}).values;
    const ComplexArray<double> errors = attribution::differences(y, problem.truth);
    const std::size_t items = row->where.batch();
    const std::size_t length = errors.size() / items;
    squares.resize(length);
    for (std::size_t first = 0; first < errors.size(); first += length) {
      double largest = 0;
      const auto square = [first](const ComplexArray<double>& x, std::size_t k) {
        return x.re[first + k] * x.re[first + k] + x.im[first + k] * x.im[first + k];
      };
      for (std::size_t k = 0; k < length; ++k)
        largest = std::max(largest, square(problem.truth.hi, k));
      const double weight = largest * static_cast<double>(items * rows.size());
      for (std::size_t k = 0; k < length && largest > 0; ++k)
        squares[k] += square(errors, k) / weight;
    }
  }
  return squares;
}

}  // namespace fftprec::figures

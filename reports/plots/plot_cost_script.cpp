#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/support/decimal.hpp"
#include "reports/plots/plot_cost_panel.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/plots/plot_quantity.hpp"
#include "reports/plots/plot_styles.hpp"

namespace fftprec {

namespace {

/// `apart` is how far below the first label zeros stand at least, as a share of the axis.
Decades decades_of(const std::vector<double>& values, const std::string& zero, int most_labels,
                   double apart) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const double value : values) {
    if (value <= 0) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) low = high = 1;
  const int first = static_cast<int>(std::floor(std::log10(low / 2.5)));
  const int last = std::max(first + 2, static_cast<int>(std::ceil(std::log10(high * 1.5))));
  const int step = std::max(1, (last - first + most_labels - 1) / most_labels);
  Decades axis{std::pow(10.0, first) / 1.001, std::pow(10.0, last) * 1.001, 0, {}};
  for (int k = first; k <= last; ++k) {
    axis.tics.push_back(
        {fmt::format("1e{}", k), (last - k) % step == 0 ? fmt::format("10^{{{}}}", k) : ""});
    for (int digit = 2; digit <= 9 && step == 1 && k < last; ++digit)
      axis.tics.push_back({fmt::format("{}e{}", digit, k), ""});
  }
  if (std::any_of(values.begin(), values.end(), [](double value) { return value <= 0; })) {
    const double share = std::max(0.4, apart * (last - first));
    axis.zero = std::pow(10.0, first - share);
    axis.low = std::pow(10.0, first - 1.6 * share);
    axis.tics.push_back({shortest(axis.zero), zero});
  }
  return axis;
}

std::string axis_settings(const Decades& axis, char name, bool labelled) {
  return fmt::format("set logscale {0}\nset {0}range [{1:.6g}:{2:.6g}]\nset {0}tics {3}\n", name,
                     axis.low, axis.high, tic_list(axis.tics, !labelled));
}

bool has_front(const CostFigure& figure, const Series& mode) {
  return std::any_of(figure.points.begin(), figure.points.end(), [&mode](const CostPoint& point) {
    return point.mode == mode.name && point.on_mode_front;
  });
}

bool has_mode(const CostFigure& figure, const Series& mode) {
  return std::any_of(figure.points.begin(), figure.points.end(),
                     [&mode](const CostPoint& point) { return point.mode == mode.name; });
}

}  // namespace

CostAxes cost_axes(std::span<const CostFigure> figures, int most_cost_labels) {
  std::vector<double> costs;
  std::vector<double> errors;
  for (const CostFigure& figure : figures)
    for (const CostPoint& point : figure.points) {
      costs.push_back(point.cost);
      errors.push_back(point.error);
    }
  return {decades_of(costs, "none", most_cost_labels, 0.18), decades_of(errors, "exact", 9, 0.08)};
}

std::string cost_axis_settings(const CostAxes& axes, bool labelled) {
  return axis_settings(axes.cost, 'x', true) + axis_settings(axes.error, 'y', labelled);
}

std::string cost_front_labels(const CostFigure& figure, const CostAxes& axes) {
  std::string labels;
  std::size_t number = 0;
  for (const CostPoint& point : figure.points)
    if (point.on_front)
      labels += fmt::format(
          "set label '{}' at first {}, first {} right offset -0.9,0 front font ',10.5' textcolor "
          "'#222222'\n",
          ++number, shortest(axes.cost.placed(point.cost)),
          shortest(axes.error.placed(point.error)));
  return labels;
}

std::string cost_data(const CostFigure& figure, const CostAxes& axes) {
  std::string data;
  std::size_t number = 0;
  const auto place = [&axes](const CostPoint& point) {
    return fmt::format("{} {}", shortest(axes.cost.placed(point.cost)),
                       shortest(axes.error.placed(point.error)));
  };
  for (const CostPoint& point : figure.points)
    if (point.on_front) data += fmt::format("{} {}\n", place(point), ++number);
  for (const Series& mode : figure.modes) {
    const auto add = [&](std::string_view what, bool front_only) {
      data += fmt::format("\n\n# mode={}, {}\n", one_line(mode.name), what);
      for (const CostPoint& point : figure.points)
        if (point.mode == mode.name && (point.on_mode_front || !front_only))
          data += fmt::format("{} {}\n", place(point), one_line(point.algorithm));
    };
    if (has_front(figure, mode)) add("front", true);
    if (has_mode(figure, mode)) add("points", false);
  }
  return data;
}

std::string cost_curves(const CostFigure& figure, std::size_t& block, bool titled) {
  const auto title = [titled](const std::string& text) {
    return titled ? "title '" + text + "'" : std::string("notitle");
  };
  std::string curves;
  if (std::any_of(figure.points.begin(), figure.points.end(),
                  [](const CostPoint& point) { return point.on_front; }))
    curves = fmt::format("data index {} using 1:2 with steps lw 2.2 dt (2,4) lc '#666666' {}",
                         block, title("0 all"));
  ++block;
  const auto add = [&curves](const std::string& curve) {
    curves += (curves.empty() ? "" : ", \\\n  ") + curve;
  };
  for (const Series& mode : figure.modes) {
    if (has_front(figure, mode))
      add(fmt::format("data index {} using 1:2 with steps lw 1 lc '{}' {}", block++,
                      series_colour(mode.style), title(fmt::format("{} front", mode.style))));
    if (has_mode(figure, mode))
      add(fmt::format("data index {} using 1:2 with points pt {} ps 0.8 lc '{}' {}", block++,
                      series_shape(mode.style), series_colour(mode.style),
                      title(fmt::format("{} median", mode.style))));
  }
  return "plot " + curves;
}

Drawing cost_drawing(const std::string& name, const CostFigure& figure, const PanelSize& size) {
  const CostAxes axes = cost_axes({&figure, 1}, std::max(3, size.width / 70));
  std::size_t block = 0;
  std::string data =
      "# cost error number; first the front, then per mode its front and its points\n" +
      cost_data(figure, axes);
  std::string script =
      panel_header(name, size) +
      panel_labels(quantity_label(figure.cost), quantity_label(figure.error), size) +
      cost_axis_settings(axes, true) + cost_front_labels(figure, axes) +
      cost_curves(figure, block, true) + "\nunset output\n";
  return {.name = name, .data = std::move(data), .script = std::move(script)};
}

}  // namespace fftprec

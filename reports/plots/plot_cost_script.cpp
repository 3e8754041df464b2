#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/decimal.hpp"
#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_cost.hpp"
#include "reports/plots/plot_curves.hpp"

namespace fftprec {

namespace {

/// A logarithmic axis in decades, with a place for zeros below it.
struct Decades {
  double low;
  double high;
  double zero;  ///< where zeros stand; 0 if there are none
  std::vector<Tic> tics;
};

Decades decades_of(const std::vector<double>& values, const std::string& zero, int most_labels) {
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
    const double share = std::max(0.4, 0.08 * (last - first));
    axis.zero = std::pow(10.0, first - share);
    axis.low = std::pow(10.0, first - 1.6 * share);
    axis.tics.push_back({shortest(axis.zero), zero});
  }
  return axis;
}

double placed(double value, const Decades& axis) { return value > 0 ? value : axis.zero; }

std::string axis_settings(const Decades& axis, char name) {
  return fmt::format("set logscale {0}\nset {0}range [{1:.6g}:{2:.6g}]\nset {0}tics {3}\n", name,
                     axis.low, axis.high, tic_list(axis.tics));
}

}  // namespace

std::string cost_label(const std::string& cost) {
  if (cost == "matmul_passes") return "tensor-engine passes";
  if (cost == "mac_count") return "real multiply-adds";
  return quantity_label(cost);
}

Drawing cost_drawing(const std::string& name, const CostFigure& figure, const PanelSize& size) {
  std::vector<double> costs;
  std::vector<double> errors;
  for (const CostPoint& point : figure.points) {
    costs.push_back(point.cost);
    errors.push_back(point.error);
  }
  const Decades x = decades_of(costs, "none", std::max(3, size.width / 70));
  const Decades y = decades_of(errors, "exact", 9);

  std::string data =
      "# cost error number; first the front, then per mode its front and its points\n";
  std::string labels;
  std::size_t number = 0;
  for (const CostPoint& point : figure.points) {
    if (!point.on_front) continue;
    data += fmt::format("{} {} {}\n", shortest(placed(point.cost, x)),
                        shortest(placed(point.error, y)), ++number);
    labels += fmt::format(
        "set label '{}' at first {}, first {} right offset -0.9,0 front font ',10.5' textcolor "
        "'#222222'\n",
        number, shortest(placed(point.cost, x)), shortest(placed(point.error, y)));
  }
  std::string curves =
      "plot data index 0 using 1:2 with steps lw 2.2 dt (2,4) lc '#666666' title '0 all'";
  std::size_t block = 1;
  for (const Series& mode : figure.modes) {
    const auto add = [&](std::string_view what, bool front_only) {
      data += fmt::format("\n\n# mode={}, {}\n", one_line(mode.name), what);
      for (const CostPoint& point : figure.points)
        if (point.mode == mode.name && (point.on_mode_front || !front_only))
          data += fmt::format("{} {} {}\n", shortest(placed(point.cost, x)),
                              shortest(placed(point.error, y)), one_line(point.algorithm));
      return block++;
    };
    const bool has_front = std::any_of(
        figure.points.begin(), figure.points.end(),
        [&mode](const CostPoint& point) { return point.mode == mode.name && point.on_mode_front; });
    if (has_front)
      curves +=
          fmt::format(", \\\n  data index {} using 1:2 with steps lw 1 lc '{}' title '{} front'",
                      add("front", true), series_colour(mode.style), mode.style);
    curves += fmt::format(
        ", \\\n  data index {} using 1:2 with points pt {} ps 0.8 lc '{}' title '{} median'",
        add("points", false), series_shape(mode.style), series_colour(mode.style), mode.style);
  }
  std::string script = panel_header(name, size) +
                       panel_labels(cost_label(figure.cost), quantity_label("err_l2_rel"), size) +
                       axis_settings(x, 'x') + axis_settings(y, 'y') + labels + curves +
                       "\nunset output\n";
  return {name, std::move(data), std::move(script)};
}

}  // namespace fftprec

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/support/decimal.hpp"
#include "reports/plots/plot_cost_panel.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/plots/plot_styles.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

/// 1, 2 or 5 times a power of ten: the largest that is not above `value`.
double step_below(double value) {
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  return (value < 2 * decade ? 1 : value < 5 * decade ? 2 : 5) * decade;
}

/// The smallest that is not below.
double step_above(double value) {
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  return (value <= decade ? 1 : value <= 2 * decade ? 2 : value <= 5 * decade ? 5 : 10) * decade;
}

/// `apart` is how far below the first label zeros stand at least, as a share of the axis. A tight
/// axis ends where its values do, others at powers of ten.
Decades decades_of(const std::vector<double>& values, const std::string& zero, int most_labels,
                   double apart, bool tight) {
  Range range;
  for (const double value : values) range.add_positive(value);
  if (range.low > range.high) range = {1, 1};
  double low = std::pow(10.0, std::floor(std::log10(range.low / 2.5)));
  double high = std::max(100 * low, std::pow(10.0, std::ceil(std::log10(range.high * 1.5))));
  if (tight) {
    const double middle = std::sqrt(range.low * range.high);  // two decades about it at the least
    low = step_below(std::min(range.low / 2.5, middle / 10));
    high = step_above(std::max(range.high * 1.5, middle * 10));
  }
  constexpr double margin = 1.001;  // a tic at the very end may be rounded away
  const int first = static_cast<int>(std::floor(std::log10(low * margin)));
  const int last = static_cast<int>(std::ceil(std::log10(high / margin)));
  const int step = std::max(1, (last - first + most_labels - 1) / most_labels);
  Decades axis{low / margin, high * margin, 0, {}};
  const auto add = [&axis](const std::string& at, const std::string& label) {
    const double value = parse_double(at).value_or(0);
    if (axis.low <= value && value <= axis.high) axis.tics.push_back({at, label});
  };
  for (int k = first; k <= last; ++k) {
    add(fmt::format("1e{}", k), (last - k) % step == 0 ? fmt::format("10^{{{}}}", k) : "");
    for (int digit = 2; digit <= 9 && step == 1; ++digit) add(fmt::format("{}e{}", digit, k), "");
  }
  if (std::any_of(values.begin(), values.end(), [](double value) { return value <= 0; })) {
    const double share = std::max(0.4, apart * std::log10(high / low));
    axis.zero = low / std::pow(10.0, share);
    axis.low = low / std::pow(10.0, 1.6 * share);
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
  return {decades_of(costs, "none", most_cost_labels, 0.18, true),
          decades_of(errors, "exact", 9, 0.08, false)};
}

std::string cost_axis_settings(const CostAxes& axes, bool labelled) {
  return axis_settings(axes.cost, 'x', true) + axis_settings(axes.error, 'y', labelled);
}

std::vector<FrontLabel> front_labels(const CostFigure& figure, const CostAxes& axes) {
  constexpr double close = 0.05;  // as a share of an axis: numbers of such points would overlap
  const auto apart = [](double a, double b, const Decades& axis) {
    return std::abs(std::log(axis.placed(a) / axis.placed(b)) / std::log(axis.high / axis.low));
  };
  std::vector<FrontLabel> labels;
  std::size_t number = 0;
  for (std::size_t i = 0; i < figure.points.size(); ++i) {
    const CostPoint& point = figure.points[i];
    if (!point.on_front) continue;
    ++number;
    if (!labels.empty()) {
      FrontLabel& last = labels.back();
      const CostPoint& first = figure.points[last.point];
      if (apart(point.cost, first.cost, axes.cost) < close &&
          apart(point.error, first.error, axes.error) < close) {
        last.text = fmt::format("{}-{}", last.number, number);
        continue;
      }
    }
    labels.push_back({i, number, std::to_string(number)});
  }
  return labels;
}

std::string cost_front_labels(const CostFigure& figure, const CostAxes& axes) {
  std::string labels;
  for (const FrontLabel& label : front_labels(figure, axes)) {
    const CostPoint& point = figure.points[label.point];
    labels += fmt::format(
        "set label '{}' at first {}, first {} right offset -0.9,0 front font ',10.5' textcolor "
        "'#222222'\n",
        label.text, shortest(axes.cost.placed(point.cost)),
        shortest(axes.error.placed(point.error)));
  }
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

#include "reports/plots/plot_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

/// Every positive number that the figure draws on its vertical axis.
Range positive_values(const Figure& figure) {
  Range range;
  const auto add = [&range](double value) { range.add_positive(value); };
  for (const Panel& panel : figure.panels)
    for (const Series& series : panel.series)
      for (const Point& point : series.points) {
        add(point.low);
        add(point.median);
        add(point.high);
        add(point.bound.value_or(0));
        add(point.expected.value_or(0));
      }
  return range;
}

bool has_zeros(const Figure& figure) {
  for (const Panel& panel : figure.panels)
    for (const Series& series : panel.series)
      for (const Point& point : series.points)
        if (point.zeros > 0) return true;
  return false;
}

/// Bits are already a logarithm, and may be negative.
YAxis linear_axis(const Figure& figure) {
  Range range;
  range.add(0);
  for (const Panel& panel : figure.panels)
    for (const Series& series : panel.series)
      for (const Point& point : series.points) {
        range.add(point.low);
        range.add(point.high);
      }
  const int step = range.high - range.low > 40 ? 8 : 4;
  const int first = static_cast<int>(std::floor(range.low / step)) * step;
  const int last = static_cast<int>(std::ceil(range.high / step)) * step;
  YAxis axis{false, static_cast<double>(first),       static_cast<double>(last),
             0,     quantity_label(figure.request.y), {}};
  for (int bits = first; bits <= last; bits += step)
    axis.tics.push_back({std::to_string(bits), std::to_string(bits)});
  return axis;
}

}  // namespace

std::string tic_list(const std::vector<Tic>& tics, bool bare) {
  std::string text;
  for (const Tic& tic : tics)
    text += fmt::format("{}'{}' {}{}", text.empty() ? "" : ", ", bare ? "" : tic.label, tic.at,
                        tic.label.empty() ? " 1" : "");
  return "(" + text + ")";
}

YAxis y_axis(const Figure& figure) {
  if (figure.request.y == "bits_l2") return linear_axis(figure);
  Range range = positive_values(figure);
  if (range.low > range.high) range = {1, 1};  // nothing but zeros
  const int first = static_cast<int>(std::floor(std::log10(range.low)));
  const int last = std::max(first + 2, static_cast<int>(std::ceil(std::log10(range.high))));
  constexpr int most_labels = 9;
  const int step = (last - first + most_labels - 1) / most_labels;
  constexpr double margin = 1.001;  // a tic at the very end may be rounded away
  using Limits = std::numeric_limits<double>;
  YAxis axis{true,
             std::max(std::pow(10.0, first) / margin, Limits::denorm_min()),
             std::min(std::pow(10.0, last) * margin, Limits::max()),
             0,
             quantity_label(figure.request.y),
             {}};
  // An error in ulps of a tiny truth may reach 1.7e308: the decade above is no number.
  const int last_tic = std::min(last, Limits::max_exponent10);
  for (int k = std::max(first, Limits::min_exponent10); k <= last_tic; ++k) {
    axis.tics.push_back(
        {fmt::format("1e{}", k), (last - k) % step == 0 ? fmt::format("10^{{{}}}", k) : ""});
    for (int digit = 2; digit <= 9 && step == 1 && k < last_tic; ++digit)
      axis.tics.push_back({fmt::format("{}e{}", digit, k), ""});
  }
  if (has_zeros(figure)) {
    const double share = std::max(0.6, 0.06 * (last - first));  // decades below the lowest label
    axis.floor = std::pow(10.0, first - share);
    axis.low = std::pow(10.0, first - 1.6 * share);
    axis.tics.push_back({"floor", "exact"});
  }
  return axis;
}

XAxis x_axis(const Figure& figure, std::size_t labels) {
  Range range;
  for (const Panel& panel : figure.panels)
    for (const Series& series : panel.series)
      for (const Point& point : series.points) range.add(point.x);
  const int first = static_cast<int>(std::floor(std::log2(range.low)));
  const int last = static_cast<int>(std::ceil(std::log2(range.high)));
  const int step = (last - first) / static_cast<int>(labels) + 1;
  XAxis axis{range.low / 1.35, range.high * 1.35, quantity_label(figure.request.x), {}};
  for (int k = first; k <= last; ++k) {
    const std::string label =
        last > 16 || first < 0 ? fmt::format("2^{{{}}}", k) : std::to_string(1LL << k);
    axis.tics.push_back({fmt::format("2.0**{}", k), (k - first) % step == 0 ? label : ""});
  }
  return axis;
}

}  // namespace fftprec

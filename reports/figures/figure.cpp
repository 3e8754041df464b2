#include "reports/figures/figure.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <utility>

#include "arith/formats/format.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec::figures {

namespace {

using Limits = std::numeric_limits<double>;

constexpr std::array<Mark, 9> marks = {Mark::disc, Mark::circle,   Mark::square,
                                       Mark::up,   Mark::open_up,  Mark::diamond,
                                       Mark::down, Mark::pentagon, Mark::open_square};
constexpr std::array<std::string_view, 4> dash_lists = {"", "16,4,3,4", "6,4", "16,4,3,4,3,4"};

double power_of_ten(int digit, int exponent) {
  return parse_double(fmt::format("{}e{}", digit, exponent)).value_or(0);
}

}  // namespace

double Axis::share(double value) const {
  if (!logarithmic) return (value - low) / (high - low);
  const double at = value > 0 ? value : zero;
  return std::log(at / low) / std::log(high / low);
}

std::vector<Tick> decade_ticks(int first, int last) {
  std::vector<Tick> ticks;
  for (int k = std::max(first, Limits::min_exponent10); k <= std::min(last, Limits::max_exponent10);
       ++k) {
    ticks.push_back({power_of_ten(1, k), {.text = "10", .superscript = std::to_string(k)}});
    for (int digit = 2; digit <= 9 && k < Limits::max_exponent10; ++digit)
      ticks.push_back({power_of_ten(digit, k)});
  }
  return ticks;
}

Axis decades(Range range, const std::string& label, bool zeros, const std::string& zero_name) {
  if (range.low > range.high) range = {1, 1};  // nothing but zeros
  const int first = static_cast<int>(std::floor(std::log10(range.low)));
  const int last = std::max(first + 2, static_cast<int>(std::ceil(std::log10(range.high))));
  constexpr double margin = 1.001;  // a tick at the very end may be rounded away
  Axis axis{.logarithmic = true,
            .low = std::max(std::pow(10.0, first) / margin, Limits::denorm_min()),
            .high = std::min(std::pow(10.0, last) * margin, Limits::max()),
            .label = label};
  axis.ticks = decade_ticks(first, last);
  std::erase_if(axis.ticks, [&axis](const Tick& tick) { return tick.at > axis.high; });
  if (zeros) {
    const double apart = std::max(0.6, 0.06 * (last - first));  // decades below the lowest label
    axis.zero = std::pow(10.0, first - apart);
    axis.low = std::pow(10.0, first - 1.6 * apart);
    axis.ticks.push_back({axis.zero, {.text = zero_name}, true});
    axis.rules.push_back({axis.zero});
  }
  return axis;
}

Axis octaves(Range range, const std::string& label) {
  const int first = static_cast<int>(std::floor(std::log2(range.low)));
  const int last = static_cast<int>(std::ceil(std::log2(range.high)));
  Axis axis{
      .logarithmic = true, .low = range.low / 1.35, .high = range.high * 1.35, .label = label};
  for (int k = first; k <= last; ++k) {
    const double at = std::ldexp(1.0, k);
    if (at < axis.low || at > axis.high) continue;
    axis.ticks.push_back({at, last > 16 || first < 0
                                  ? Label{.text = "2", .superscript = std::to_string(k)}
                                  : Label{.text = std::to_string(1LL << k)}});
  }
  return axis;
}

Axis even_steps(double low, double high, const std::string& label, int most) {
  Axis axis{.low = low, .high = high, .label = label};
  const double least = (high - low) / most;
  if (!(least > 0)) return axis;
  const int decade = static_cast<int>(std::floor(std::log10(least)));
  double step = power_of_ten(1, decade + 1);
  for (const int digit : {5, 2, 1})
    if (power_of_ten(digit, decade) >= least * (1 - 1e-9)) step = power_of_ten(digit, decade);
  const double largest = std::max(std::fabs(low), std::fabs(high));
  const int digits = std::max(6, static_cast<int>(std::ceil(std::log10(largest / step))) + 1);
  for (auto i = static_cast<long long>(std::ceil(low / step - 1e-9));
       static_cast<double>(i) * step <= high + 1e-9 * step; ++i) {
    const double at = static_cast<double>(i) * step;
    axis.ticks.push_back({at, {.text = fmt::format("{:.{}g}", i == 0 ? 0.0 : at, digits)}});
  }
  return axis;
}

void add_roundoffs(Axis& axis) {
  const std::pair<const char*, Format> formats[] = {{"e5m2", fp8_e5m2}, {"e4m3", fp8_e4m3},
                                                    {"bf16", bf16},     {"fp16, tf32", fp16},
                                                    {"fp32", fp32},     {"fp64", fp64}};
  for (const auto& [name, format] : formats) {
    const double at = axis.logarithmic ? std::ldexp(1.0, -format.precision) : format.precision;
    if (axis.low < at && at < axis.high)
      axis.rules.push_back({at, {.text = "u", .subscript = name}});
  }
}

Axis named_lines(const std::vector<std::string>& names, bool downwards) {
  const double end = static_cast<double>(names.size()) - 0.5;
  Axis axis{.low = downwards ? end : -0.5, .high = downwards ? -0.5 : end, .names = true};
  for (std::size_t i = 0; i < names.size(); ++i)
    axis.ticks.push_back({static_cast<double>(i), {.text = names[i]}, true});
  return axis;
}

std::string series_class(std::size_t style) { return fmt::format("c{}", style % series_colours); }

Mark series_mark(std::size_t style) { return marks[style % marks.size()]; }

std::string series_dashes(std::size_t style) {
  return std::string(dash_lists[style / series_colours % dash_lists.size()]);
}

std::vector<std::size_t> series_styles(const std::vector<std::string>& names,
                                       const std::vector<std::string>& listed) {
  std::vector<std::optional<std::size_t>> styles(names.size());
  std::set<std::size_t> taken;
  const auto take = [&](std::size_t i, std::size_t style) {
    if (!styles[i] && taken.insert(style).second) styles[i] = style;
  };
  std::vector<std::size_t> ranks;
  for (const std::string& name : names)
    ranks.push_back(static_cast<std::size_t>(std::ranges::find(listed, name) - listed.begin()));
  for (std::size_t i = 0; i < names.size(); ++i)
    if (ranks[i] < listed.size() && ranks[i] < series_colours) take(i, ranks[i]);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (ranks[i] < listed.size()) take(i, ranks[i] % series_colours);
  std::vector<std::size_t> all;
  std::size_t next = 0;  // all styles below are taken
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (; !styles[i]; ++next) take(i, next);
    all.push_back(*styles[i]);
  }
  return all;
}

LegendEntry sample_entry(const std::string& name, Layer layer) {
  layer.spots.clear();
  return {name, std::move(layer)};
}

LegendEntry series_entry(const std::string& name, std::size_t style, bool line) {
  return {name,
          {.form = line ? Form::line : Form::points,
           .style = style,
           .colour = series_class(style),
           .mark = series_mark(style),
           .width = 1.8,
           .dashes = line ? series_dashes(style) : std::string()}};
}

}  // namespace fftprec::figures

#include "reports/plots/plot_colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "experiments/support/decimal.hpp"
#include "reports/plots/plot_axes.hpp"

namespace fftprec {

namespace {

constexpr std::array<std::uint32_t, 9> stops = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                                0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};

constexpr std::array<CellLook, 5> looks = {{
    {CellKind::exact, "exact", "error is 0", "#ffffff", "#222222", false},
    {CellKind::skipped, "skipped", "skipped", "#ececec", "#555555", true},
    {CellKind::failed, "failed", "failed", "#d55e00", "#ffffff", false},
    {CellKind::not_finite, "not_finite", "not finite", "#000000", "#ffffff", false},
    {CellKind::no_value, "no_value", "not defined", "#f6f6f6", "#555555", false},
}};

}  // namespace

std::span<const CellLook> cell_looks() { return looks; }

std::string palette() {
  std::string text;
  for (std::size_t i = 0; i < stops.size(); ++i)
    text += fmt::format("{}{} '#{:06x}'", i == 0 ? "" : ", ", i, stops[i]);
  return "set palette defined (" + text + ")\n";
}

std::string palette_colour(double shade) {
  const double place = std::clamp(shade, 0.0, 1.0) * (stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double share = place - static_cast<double>(below);
  std::uint32_t colour = 0;
  for (const int bits : {16, 8, 0}) {
    const double low = stops[below] >> bits & 0xff;
    const double high = stops[below + 1] >> bits & 0xff;
    colour |= static_cast<std::uint32_t>(low + share * (high - low) + 0.5) << bits;
  }
  return fmt::format("#{:06x}", colour);
}

double shade_of(double value, const ColourScale& scale) {
  return scale.logarithmic ? std::log(value / scale.low) / std::log(scale.high / scale.low)
                           : (value - scale.low) / (scale.high - scale.low);
}

ColourScale colour_scale(std::span<const HeatPanel> panels, const std::string& y) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const HeatPanel& panel : panels)
    for (const HeatCell& cell : panel.cells) {
      if (cell.kind != CellKind::value) continue;
      low = std::min(low, cell.value);
      high = std::max(high, cell.value);
    }
  const bool logarithmic = y != "bits_l2";
  if (low > high) return {logarithmic, 1, 2};
  if (!logarithmic) {
    const double widen = std::max(0.0, 1 - (high - low)) / 2;
    return {logarithmic, low - widen, high + widen};
  }
  const double widen = std::max(1.0, std::sqrt(2 / (high / low)));
  return {logarithmic, low / widen, high * widen};
}

std::string colour_settings(const ColourScale& scale) {
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  return fmt::format("{} logscale cb\nset cbrange [{}:{}]\n", scale.logarithmic ? "set" : "unset",
                     number(scale.low), number(scale.high)) +
         (scale.logarithmic ? fmt::format("shade(value) = log(value/{0})/log({1}/{0})\n",
                                          number(scale.low), number(scale.high))
                            : fmt::format("shade(value) = (value - ({0}))/({1} - ({0}))\n",
                                          number(scale.low), number(scale.high)));
}

std::string colour_tics(const ColourScale& scale, std::size_t most) {
  std::vector<Tic> tics;
  const auto add = [&](double value, const std::string& at, const std::string& label) {
    if (scale.low <= value && value <= scale.high) tics.push_back({at, label});
  };
  const auto room = static_cast<double>(most);
  if (!scale.logarithmic) {
    double step = 0.5;
    while ((scale.high - scale.low) / step > room) step *= 2;
    for (double bits = std::ceil(scale.low / step) * step; bits <= scale.high; bits += step)
      add(bits, shortest(bits), shortest(bits));
    return tic_list(tics);
  }
  const int first = static_cast<int>(std::floor(std::log10(scale.low)));
  const int last = static_cast<int>(std::ceil(std::log10(scale.high)));
  const double decades = std::log10(scale.high / scale.low);
  const bool fine = 3 * decades <= room;
  const int step = std::max(1, static_cast<int>(std::ceil(decades / room)));
  for (int k = first; k <= last; ++k)
    for (const int digit : {1, 2, 5}) {
      if ((digit > 1 && !fine) || (last - k) % step != 0) continue;
      const std::string at = fmt::format("{}e{}", digit, k);
      const double value = parse_double(at).value_or(0);
      const std::string power = fmt::format("10^{{{}}}", k);
      const std::string label = -2 <= k && k <= 2 ? shortest(value)
                                : digit == 1      ? power
                                                  : fmt::format("{}·{}", digit, power);
      add(value, at, label);
    }
  return tic_list(tics);
}

}  // namespace fftprec

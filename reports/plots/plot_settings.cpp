#include "reports/plots/plot_settings.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace fftprec {

std::string x_axis_settings(const XAxis& x) {
  return fmt::format("set logscale x 2\nset xrange [{:.6g}:{:.6g}]\nset xtics {}\n", x.low, x.high,
                     tic_list(x.tics));
}

std::string y_axis_settings(const YAxis& y, bool labelled) {
  return fmt::format("floor = {:.4g}\nat(value) = value > 0 ? value : floor\n", y.floor) +
         (y.logarithmic ? "set logscale y\n" : "at(value) = value\n") +
         fmt::format("set yrange [{:.6g}:{:.6g}]\nset ytics {}\n", y.low, y.high,
                     tic_list(y.tics, !labelled));
}

std::string axis_marks(const Figure& figure, const YAxis& y, bool labelled) {
  std::string text;
  const auto line = [&](const std::string& at, std::string_view label, std::string_view colour) {
    text += fmt::format(
        "set arrow from graph 0, first {0} to graph 1, first {0} nohead back lw 1 "
        "lc '{1}'\n",
        at, colour);
    if (labelled && !label.empty())
      text += fmt::format(
          "set label '{}' at graph 1, first {} left offset 0.6,0 textcolor '#666666' "
          "font ',10.5'\n",
          label, at);
  };
  struct UnitRoundoff {
    std::string_view name;
    int exponent;
  };
  constexpr UnitRoundoff roundoffs[] = {{"bf16", -8}, {"fp32", -24}, {"fp64", -53}};
  if (figure.request.y.ends_with("_rel"))
    for (const auto& [name, exponent] : roundoffs) {
      const double value = std::ldexp(1.0, exponent);
      if (y.low < value && value < y.high)
        line(fmt::format("2.0**{}", exponent), fmt::format("u_{{{}}}", name), "#bdbdbd");
    }
  if (figure.request.y == err_over_bound) line("1", "bound", "#999999");
  if (figure.request.y == err_over_expected && y.low < 1 && 1 < y.high)
    line("1", "expected", "#999999");
  if (y.floor > 0) line("floor", "", "#999999");
  return text;
}

}  // namespace fftprec

#include "reports/plots/plot_stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "experiments/support/decimal.hpp"
#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_canvas.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/plots/plot_styles.hpp"

namespace fftprec {

namespace {

constexpr int line_height = 21;  ///< pixels of a stage
constexpr int panel_bottom = 56;
constexpr int figure_bottom = 60;
constexpr int panel_top = 14;
constexpr int panel_right = 30;

constexpr std::array<StagesCurve, 3> curve_list = {{{"after", 0}, {"added", 3}, {"expected", 2}}};
using CurveTitles = std::array<std::string, 3>;

/// What is drawn of a stage; 0: exact.
struct Drawn {
  double after;
  double added;
  std::optional<double> expected;
};

std::vector<Drawn> drawn(const errors::StageErrors& errors) {
  // Twice the floor is still no more than binary64's own errors, met in another order.
  const double least = 2 * errors.floor_l2_rel;
  std::vector<Drawn> all;
  for (const errors::StageError& stage : errors.stages) {
    Drawn each{stage.err_l2_rel > least ? stage.err_l2_rel : 0,
               stage.added_l2_rel > least ? stage.added_l2_rel : 0, stage.expected_l2_rel};
    if (each.expected && *each.expected <= least) each.expected = std::nullopt;
    all.push_back(each);
  }
  return all;
}

/// The axis of errors, as that of a figure with the same values.
YAxis error_axis(const std::vector<Drawn>& stages) {
  Series series{"", 0, {}};
  const auto add = [&series](double value) {
    const std::size_t zeros = value > 0 ? 0 : 1;
    series.points.push_back({1, value, value, value, 1, zeros, std::nullopt, std::nullopt});
  };
  for (const Drawn& stage : stages) {
    add(stage.after);
    add(stage.added);
    if (stage.expected) add(*stage.expected);
  }
  return y_axis(Figure{{}, {}, {}, {{"", {series}}}, {}, 0});
}

std::vector<std::string> titles_of(const errors::StageErrors& errors) {
  std::vector<std::string> titles;
  for (const errors::StageError& stage : errors.stages) titles.push_back(stage.title);
  return titles;
}

std::string data_of(const std::vector<Drawn>& stages, const YAxis& axis) {
  std::string text = "# stage, error after it, what it adds, error expected after it\n";
  const auto at = [&axis](double value) { return shortest(value > 0 ? value : axis.floor); };
  for (std::size_t i = 0; i < stages.size(); ++i)
    text += fmt::format("{} {} {} {}\n", i, at(stages[i].after), at(stages[i].added),
                        stages[i].expected ? at(*stages[i].expected) : "-");
  return text;
}

/// Axes and curves, once margins are set.
std::string curves_of(const errors::StageErrors& errors, const std::vector<Drawn>& stages,
                      const YAxis& axis, const CurveTitles& titles) {
  std::string script =
      fmt::format("set logscale x\nset xrange [{:.6g}:{:.6g}]\nfloor = {:.4g}\nset xtics {}\n",
                  axis.low, axis.high, axis.floor, tic_list(axis.tics)) +
      line_names(titles_of(errors), 0, stages.size());
  if (axis.floor > 0)
    script +=
        "set arrow from first floor, graph 0 to first floor, graph 1 nohead back lw 1 lc "
        "'#999999'\n";
  const auto curve = [&](std::size_t column, std::string_view with, std::size_t i) {
    const std::size_t style = curve_list[i].style;
    return fmt::format("{}data using {}:1 with {} pt {} ps 0.7 lw 1.6 lc '{}' title {}",
                       i == 0 ? "plot " : ", \\\n  ", column, with, series_shape(style),
                       series_colour(style), fftprec::quoted(titles[i]));
  };
  script += curve(2, "linespoints", 0) + curve(3, "points", 1);
  if (std::any_of(stages.begin(), stages.end(),
                  [](const Drawn& stage) { return stage.expected.has_value(); }))
    script += curve(4, "points", 2);
  return script + "\nunset output\n";
}

}  // namespace

std::span<const StagesCurve> stages_curves() { return curve_list; }

std::string stages_curve(std::string_view part) {
  if (part == "added") return "what the stage adds";
  if (part == "expected") return "expected error";
  return "error after the stage";
}

Drawing stages_panel(const std::string& name, const errors::StageErrors& errors, int width) {
  const std::vector<Drawn> stages = drawn(errors);
  const YAxis axis = error_axis(stages);
  const PanelSize size{width,
                       panel_top + panel_bottom + line_height * static_cast<int>(stages.size())};
  CurveTitles titles;
  for (std::size_t i = 0; i < titles.size(); ++i)
    titles[i] = fmt::format("{} {}", curve_list[i].style, curve_list[i].part);
  std::string script = panel_header(name, size) +
                       lines_below({names_width(titles_of(errors)), width - panel_right,
                                    panel_bottom, size.height - panel_top},
                                   width, size.height) +
                       fmt::format("set xlabel {} noenhanced font ',11' offset 0,0.3\n",
                                   fftprec::quoted(axis.label)) +
                       curves_of(errors, stages, axis, titles);
  return {name, data_of(stages, axis), std::move(script)};
}

Drawing stages_figure(const std::string& name, const std::string& subtitle,
                      const errors::StageErrors& errors) {
  const std::vector<Drawn> stages = drawn(errors);
  const YAxis axis = error_axis(stages);
  constexpr int width = 1000;
  constexpr int head = 112;
  constexpr int right = 30;
  const int height = head + figure_bottom + line_height * static_cast<int>(stages.size());
  const int left = names_width(titles_of(errors));
  std::string script =
      canvas_header(name, width, height) +
      canvas_title("Error after each stage", subtitle, 20, width, height) +
      lines_below({left, width - right, figure_bottom, height - head}, width, height) +
      fmt::format("set xlabel {} noenhanced\n", fftprec::quoted(axis.label)) +
      key_line(20, height - 66, width, height) +
      curves_of(errors, stages, axis,
                {stages_curve("after"), stages_curve("added"), stages_curve("expected")});
  return {name, data_of(stages, axis), std::move(script)};
}

}  // namespace fftprec

#include "reports/plots/plot_recommend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/support/decimal.hpp"
#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_canvas.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/plots/plot_styles.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

constexpr int width = 1000;
constexpr int height = 560;
constexpr int left = 105;
constexpr int bottom = 70;
constexpr int top = 70;

/// Margins, with so much room at the right, and both axes logarithmic over a grid.
std::string frame(int right) {
  return plot_frame() + plot_margins({left, width - right, bottom, height - top}, width, height) +
         "set logscale xy\nset grid lt 1 lw 0.8 lc '#e6e6e6', lt 1 lw 0 lc '#ffffff'\nunset key\n";
}

/// A line of the list at the right.
std::string listed(int right, double line, const std::string& text, const std::string& colour) {
  return label_at(text, width - right + 25, height - top - 18 * line, width, height,
                  fmt::format("left noenhanced front font ',11' textcolor '{}'", colour));
}

}  // namespace

Drawing recommend_drawing(const Recommendation& result, const RecommendRequest& request) {
  constexpr int right = 365;
  Range times;
  Range errors;
  errors.add_positive(request.budget.largest);
  constexpr double meaningless = 10;  // of errors far above 1 nothing is to be seen
  bool any_exact = false;
  for (const Choice& choice : result.choices) {
    times.add_positive(choice.time.total_ns() / 1e3);
    errors.add_positive(std::min(choice.judged, meaningless));
    any_exact = any_exact || choice.judged == 0;
  }
  const double exact = errors.low / 30;
  const auto placed = [exact](double error) { return error == 0 ? exact : error; };
  std::string all = "# time_us error; all choices\n";
  std::string front = "# the front\n";
  std::string script =
      canvas_header("error_vs_time", width, height) +
      canvas_title("Error against modelled time, n = " + std::to_string(request.where.n),
                   request.where.transform + ", batch " + std::to_string(request.where.batch) +
                       ", machine " + request.where.machine + ", times of " + request.generation,
                   left, width, height) +
      frame(right);
  std::size_t number = 0;
  script += listed(right, 0, "no other is as fast and errs as little:", "#222222");
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    const Choice& choice = result.choices[i];
    if (std::isinf(choice.judged)) continue;
    const std::string x = shortest(choice.time.total_ns() / 1e3);
    const std::string y = shortest(placed(choice.judged));
    all += fmt::format("{} {}\n", x, y);
    if (!choice.on_front) continue;
    front += fmt::format("{} {}\n", x, y);
    script +=
        fmt::format("set label '{}' at first {}, first {} {} front font ',11'\n", number + 1, x, y,
                    number % 2 == 0 ? "left offset 0.7,0.35" : "right offset -0.7,0.35");
    ++number;
    const bool chosen = result.best == i;
    script += listed(right, 1.2 + static_cast<double>(number),
                     fmt::format("{}  {}, {}{}", number, choice.algorithm, choice.mode,
                                 chosen ? "  (recommended)" : ""),
                     chosen ? "#d55e00" : "#222222");
  }
  const char* which = request.by == JudgedBy::measured ? "largest measured "
                      : request.by == JudgedBy::bound  ? "bound of "
                                                       : "larger of measured and bound, ";
  script += fmt::format(
      "set xrange [{}:{}]\nset yrange [{}:{}]\nset xlabel 'modelled time of the batch, us'\n"
      "set ylabel {}\nset format y '10^{{%T}}'\n",
      shortest(times.low / 1.5), shortest(times.high * 1.5),
      shortest((any_exact ? exact : errors.low) / 3), shortest(errors.high * 3),
      fftprec::quoted(which + quantity_label(request.budget.metric)));
  if (any_exact) script += fmt::format("set ytics add ('exact' {})\n", shortest(exact));
  script += fmt::format(
      "plot {} with lines lw 1.5 dt (6,4) lc '#d55e00', \\\n  data index 0 using 1:2 with points "
      "pt 7 ps 0.5 lc '#999999', \\\n  data index 1 using 1:2 with steps lw 1.5 lc '{}', \\\n  "
      "data index 1 using 1:2 with points pt 7 ps 1 lc '{}'\nunset output\n",
      shortest(request.budget.largest), series_colour(0), series_colour(0));
  return {"error_vs_time", all + "\n\n" + front, std::move(script)};
}

Drawing latency_drawing(std::span<const Calibration> calibrations) {
  constexpr int right = 345;
  constexpr int shapes[] = {7, 6, 5, 4};
  constexpr int cross = 2;
  const std::string not_fitted = "not fitted: ";
  Range times;
  std::map<std::string, std::size_t> styles;  // of what is fitted, by algorithm and mode
  std::map<std::pair<std::string, std::size_t>, std::string> blocks;
  for (std::size_t g = 0; g < calibrations.size(); ++g)
    for (const LatencyCheck& check : calibrations[g].checks) {
      const Latency& measured = check.measured;
      times.add_positive(measured.time_us);
      times.add_positive(check.left_out_us);
      const std::string name =
          (measured.fitted ? "" : not_fitted) + measured.algorithm + ", " + measured.mode;
      if (measured.fitted) styles.try_emplace(name, styles.size());
      blocks[{name, g}] += fmt::format("{} {} {}\n", shortest(measured.time_us),
                                       shortest(check.left_out_us), measured.n);
    }
  std::string data;
  std::string curves;
  std::size_t block = 0;
  for (const auto& [key, points] : blocks) {
    const auto& [name, g] = key;
    const bool is_fitted = !name.starts_with(not_fitted);
    const std::string colour = is_fitted ? std::string(series_colour(styles[name])) : "#777777";
    data +=
        (block == 0 ? "" : "\n\n") +
        fmt::format("# {} on {}; measured_us predicted_us n\n", name, calibrations[g].generation) +
        points;
    curves += fmt::format(
        ", \\\n  data index {} using 1:2 with points pt {} ps 1 lw 1.5 lc '{}' title {}", block++,
        is_fitted ? shapes[g % std::size(shapes)] : cross, colour,
        fftprec::quoted(name + ", " + std::string(calibrations[g].generation)));
  }
  std::string script =
      canvas_header("predicted_vs_measured", width, height) +
      canvas_title("Modelled and measured latencies",
                   "each predicted by a fit to all others; dotted: a factor of 1.25", left, width,
                   height) +
      frame(right) + key_column(width - right + 10, height - top, width, height, blocks.size()) +
      fmt::format(
          "set xrange [{0}:{1}]\nset yrange [{0}:{1}]\nset xlabel 'measured, us'\n"
          "set ylabel 'modelled, us'\n",
          shortest(times.low / 1.4), shortest(times.high * 1.4)) +
      "plot x with lines lw 1.5 lc '#444444' notitle, \\\n  1.25*x with lines dt (2,3) lc "
      "'#444444' notitle, \\\n  x/1.25 with lines dt (2,3) lc '#444444' notitle" +
      curves + "\nunset output\n";
  return {"predicted_vs_measured", std::move(data), std::move(script)};
}

}  // namespace fftprec

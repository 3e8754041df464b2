#include "reports/plots/plot_recommend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
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

Drawing recommend_drawing(const devices::Recommendation& result,
                          const devices::RecommendRequest& request) {
  constexpr int right = 410;
  Range cycles;
  Range errors;
  errors.add_positive(request.budget.largest);
  constexpr double meaningless = 10;  // of errors far above 1 nothing is to be seen
  bool any_exact = false;
  for (const devices::Choice& choice : result.choices) {
    cycles.add_positive(static_cast<double>(choice.work.total_cycles()));
    errors.add_positive(std::min(choice.judged, meaningless));
    any_exact = any_exact || choice.judged == 0;
  }
  const double exact = errors.low / 30;
  const auto placed = [exact](double error) { return error == 0 ? exact : error; };
  std::string all = "# cycles error; all choices\n";
  std::string front = "# the front\n";
  std::string script =
      canvas_header("error_vs_work", width, height) +
      canvas_title("Error against counted work, n = " + std::to_string(request.where.n),
                   request.where.transform + ", batch " + std::to_string(request.where.batch) +
                       ", machine " + request.where.machine,
                   left, width, height) +
      frame(right);
  std::size_t number = 0;
  double least = std::numeric_limits<double>::infinity();
  script += listed(right, 0, "no other does as little and errs as little:", "#222222");
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    const devices::Choice& choice = result.choices[i];
    if (std::isinf(choice.judged)) continue;
    const std::string x = std::to_string(choice.work.total_cycles());
    const std::string y = shortest(placed(choice.judged));
    all += fmt::format("{} {}\n", x, y);
    if (!(choice.judged < least)) continue;  // less work errs as little
    least = choice.judged;
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
  const char* which = request.by == devices::JudgedBy::measured ? "largest measured "
                      : request.by == devices::JudgedBy::bound  ? "bound of "
                                                                : "larger of measured and bound, ";
  script += fmt::format(
      "set xrange [{}:{}]\nset yrange [{}:{}]\nset xlabel 'cycles of the engines for the batch'\n"
      "set ylabel {}\nset format x '10^{{%T}}'\nset format y '10^{{%T}}'\n",
      shortest(cycles.low / 1.5), shortest(cycles.high * 1.5),
      shortest((any_exact ? exact : errors.low) / 3), shortest(errors.high * 3),
      fftprec::quoted(which + quantity_label(request.budget.metric)));
  if (any_exact) script += fmt::format("set ytics add ('exact' {})\n", shortest(exact));
  script += fmt::format(
      "plot {} with lines lw 1.5 dt (6,4) lc '#d55e00', \\\n  data index 0 using 1:2 with points "
      "pt 7 ps 0.5 lc '#999999', \\\n  data index 1 using 1:2 with steps lw 1.5 lc '{}', \\\n  "
      "data index 1 using 1:2 with points pt 7 ps 1 lc '{}'\nunset output\n",
      shortest(request.budget.largest), series_colour(0), series_colour(0));
  return {"error_vs_work", all + "\n\n" + front, std::move(script)};
}

}  // namespace fftprec

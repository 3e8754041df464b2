#include "reports/figures/recommend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/support/decimal.hpp"
#include "reports/results/quantity.hpp"
#include "reports/text/table.hpp"

namespace fftprec::figures {

namespace {

constexpr int frame_height = 420;

/// From a little below the range to a little above it, with a grid at powers of ten.
Axis log_axis(const Range& range, double beyond, const std::string& label) {
  Axis axis{.logarithmic = true,
            .low = range.low / beyond,
            .high = range.high * beyond,
            .label = label,
            .grid = true};
  axis.ticks = decade_ticks(static_cast<int>(std::floor(std::log10(axis.low))),
                            static_cast<int>(std::ceil(std::log10(axis.high))));
  return axis;
}

Axis error_axis(const devices::Recommendation& result, const devices::RecommendRequest& request) {
  constexpr double meaningless = 10;  // of errors far above 1 nothing is to be seen
  Range errors;
  errors.add_positive(request.budget.largest);
  bool any_exact = false;
  for (const devices::Choice& choice : result.choices) {
    errors.add_positive(std::min(choice.judged, meaningless));
    any_exact = any_exact || choice.judged == 0;
  }
  const char* which = request.by == devices::JudgedBy::measured ? "largest measured "
                      : request.by == devices::JudgedBy::bound  ? "bound of "
                                                                : "larger of measured and bound, ";
  Axis axis = log_axis(errors, 3, which + quantity_label(std::string(request.budget.metric->name)));
  if (any_exact) {
    axis.zero = errors.low / 30;
    axis.low = axis.zero / 3;
    axis.ticks.push_back({axis.zero, {.text = "exact"}, true});
    axis.rules.push_back({axis.zero});
  }
  return axis;
}

std::string tip_of(const devices::Choice& choice, const devices::RecommendRequest& request) {
  return fmt::format(
      "algorithm {}, mode {}, n {}\nmachine {}, batch {}\n{} {}, {} cycles{}", choice.algorithm,
      choice.mode, request.where.n, request.where.machine, request.where.batch,
      request.budget.metric->name, text::error_text(choice.judged), choice.work.total_cycles(),
      choice.measured ? ""
                      : fmt::format("\nnot measured: ruled out by {}", name_of(choice.ruled_out)));
}

}  // namespace

Figure recommend_figure(const devices::Recommendation& result,
                        const devices::RecommendRequest& request) {
  Range cycles;
  for (const devices::Choice& choice : result.choices)
    cycles.add_positive(static_cast<double>(choice.work.total_cycles()));
  Figure figure{.name = "error_vs_work",
                .title = "Error against counted work, n = " + std::to_string(request.where.n),
                .subtitle = request.where.transform + ", batch " +
                            std::to_string(request.where.batch) + ", machine " +
                            request.where.machine,
                .panels = {{.x = log_axis(cycles, 1.5, "cycles of the engines for the batch"),
                            .y = error_axis(result, request),
                            .height = frame_height}}};
  Layer budget{.part = "budget", .colour = "c3", .width = 1.5, .dashes = "6,4"};
  budget.tip = "largest error allowed: " + short_number(request.budget.largest);
  Panel& panel = figure.panels.front();
  for (const double x : {panel.x.low, panel.x.high})
    budget.spots.push_back({.x = x, .y = request.budget.largest});
  Layer all{.form = Form::points, .part = "choices", .colour = "line", .mark = Mark::dot};
  Layer steps{.form = Form::steps, .part = "front", .colour = "c0", .width = 1.5};
  Layer front{.form = Form::points, .part = "front", .colour = "c0", .mark = Mark::disc};
  Layer left{.form = Form::words, .part = "number"};
  Layer right{.form = Form::words, .part = "number", .left = false};
  figure.legend.push_back(
      {"no other does as little and errs as little:", {.form = Form::words, .colour = "soft"}});
  std::size_t number = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    const devices::Choice& choice = result.choices[i];
    if (std::isinf(choice.judged)) continue;
    Spot spot{.x = static_cast<double>(choice.work.total_cycles()), .y = choice.judged};
    if (!choice.on_front || !(choice.judged < least)) {  // less work errs as little
      spot.tip = tip_of(choice, request);
      all.spots.push_back(spot);
      continue;
    }
    least = choice.judged;
    steps.spots.push_back(spot);
    spot.text = std::to_string(++number);
    (number % 2 == 0 ? left : right).spots.push_back(spot);
    spot.tip = tip_of(choice, request);
    front.spots.push_back(spot);
    const bool chosen = result.best == i;
    figure.legend.push_back({fmt::format("{}  {}, {}{}", number, choice.algorithm, choice.mode,
                                         chosen ? "  (recommended)" : ""),
                             {.form = Form::words, .colour = chosen ? "c3" : "ink"}});
  }
  panel.layers = {budget, all, steps, front, left, right};
  return figure;
}

}  // namespace fftprec::figures

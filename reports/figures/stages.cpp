#include "reports/figures/stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <vector>

#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"
#include "reports/results/quantity.hpp"
#include "reports/text/table.hpp"

namespace fftprec::figures {

namespace {

constexpr int stage_height = 21;  ///< pixels of a line
constexpr int bar_line_height = 24;
constexpr const char* remainder_name = "correlated remainder";

/// The drawn values of a stage; 0: exact.
struct Drawn {
  double after;
  double added;
  std::optional<double> expected;
};

std::vector<Drawn> drawn(const attribution::StageErrors& errors) {
  // Twice the floor is still no more than binary64's own errors, met in another order.
  const double least = 2 * errors.floor_l2_rel;
  std::vector<Drawn> all;
  for (const attribution::StageError& stage : errors.stages) {
    Drawn each{stage.err_l2_rel > least ? stage.err_l2_rel : 0,
               stage.added_l2_rel > least ? stage.added_l2_rel : 0, stage.expected_l2_rel};
    if (each.expected && *each.expected <= least) each.expected = std::nullopt;
    all.push_back(each);
  }
  return all;
}

Axis error_axis(const std::vector<Drawn>& stages) {
  Range range;
  bool zeros = false;
  for (const Drawn& stage : stages)
    for (const double value : {stage.after, stage.added, stage.expected.value_or(stage.after)}) {
      range.add_positive(value);
      zeros = zeros || value == 0;
    }
  Axis axis = decades(range, quantity_label("err_l2_rel"), zeros, "exact");
  axis.grid = true;
  return axis;
}

/// A curve of the drawing: `value` of each stage, if it has one.
template <class Value>
Layer curve(Form form, const std::string& part, const std::string& what, std::size_t style,
            const std::string& subtitle, const attribution::StageErrors& errors,
            const std::vector<Drawn>& stages, Value value) {
  Layer layer{.form = form,
              .part = part,
              .style = style,
              .colour = series_class(style),
              .mark = series_mark(style),
              .width = 1.6,
              .tip = what};
  for (std::size_t i = 0; i < stages.size(); ++i)
    if (const std::optional<double> error = value(stages[i]))
      layer.spots.push_back({.x = *error,
                             .y = static_cast<double>(i),
                             .tip = errors.stages[i].title + "\n" + subtitle + "\n" + what + " " +
                                    text::error_text(*error)});
  return layer;
}

/// The style of a source, equal in every figure.
std::size_t source_style(const attribution::BudgetSource& source) {
  constexpr std::array<std::size_t, all_error_sources.size()> styles = {0, 1, 6, 3, 4, 5, 2, 7};
  if (const auto* traced = std::get_if<ErrorSource>(&source))
    return styles[static_cast<std::size_t>(*traced)];
  switch (std::get<attribution::FlowSource>(source)) {
    case attribution::FlowSource::shifts:
      return 3;
    case attribution::FlowSource::operations:
      return 6;
    case attribution::FlowSource::overflow:
      break;
  }
  return 4;
}

struct Bar {
  std::string title;
  std::vector<double> parts;  ///< percent of the error's square, by source
  double all;                 ///< of all of them together

  double sum() const { return std::accumulate(parts.begin(), parts.end(), 0.0); }
};

std::vector<Bar> bars_of(const attribution::Budget& budget) {
  const auto percent = [&](double part) {
    return budget.error == 0 ? 0 : 100 * (part / budget.error) * (part / budget.error);
  };
  std::vector<Bar> bars = {{"all stages", {}, budget.error == 0 ? 0.0 : 100.0}};
  for (const attribution::SourcePart& part : budget.sources)
    bars[0].parts.push_back(percent(part.alone));
  for (const attribution::StageParts& stage : budget.stages) {
    Bar bar{stage.title, {}, percent(stage.all)};
    for (const double part : stage.alone) bar.parts.push_back(percent(part));
    bars.push_back(std::move(bar));
  }
  return bars;
}

/// The bar from the sum of the parts to their joint error. If the joint error is larger, parts
/// correlate; if it is smaller, they cancel, and the bar is narrow.
Spot remainder_of(const Bar& bar, double line, const std::string& subtitle) {
  const double sum = bar.sum();
  const double half = sum < bar.all ? 0.36 : 0.1;
  return {.x = std::min(sum, bar.all),
          .y = line - half,
          .x2 = std::max(sum, bar.all),
          .y2 = line + half,
          .tip = fmt::format("{}: {}, {:+.3g} %\n{}", bar.title, remainder_name, bar.all - sum,
                             subtitle)};
}

/// Bars one below the other, each of the shares of the sources one after the other.
Panel bars_panel(const attribution::Budget& budget, const std::string& subtitle,
                 std::span<const Bar> bars) {
  double longest = 0;
  std::vector<std::string> titles;
  for (const Bar& bar : bars) {
    longest = std::max({longest, bar.sum(), bar.all});
    titles.push_back(bar.title);
  }
  Panel panel{.x = even_steps(0, longest > 0 ? 1.04 * longest : 1,
                              "share of the squared error, 2-norm, %", 10),
              .y = named_lines(titles, true),
              .height = bar_line_height * static_cast<int>(bars.size())};
  panel.x.grid = true;
  std::vector<double> ends(bars.size());
  for (std::size_t source = 0; source < budget.sources.size(); ++source) {
    const attribution::SourcePart& part = budget.sources[source];
    const std::size_t style = source_style(part.source);
    Layer layer{.form = Form::boxes,
                .part = "source",
                .style = style,
                .colour = series_class(style),
                .opacity = 0.9,
                .tip = part.name};
    for (std::size_t i = 0; i < bars.size(); ++i) {
      const double begin = ends[i];
      ends[i] += bars[i].parts[source];
      if (ends[i] > begin)
        layer.spots.push_back({.x = begin,
                               .y = static_cast<double>(i) - 0.36,
                               .x2 = ends[i],
                               .y2 = static_cast<double>(i) + 0.36,
                               .tip = fmt::format("{}: {}, {} %\n{}", bars[i].title, part.name,
                                                  short_number(bars[i].parts[source]), subtitle)});
    }
    panel.layers.push_back(std::move(layer));
  }
  Layer remainder{
      .form = Form::boxes, .part = "remainder", .colour = "soft", .tip = remainder_name};
  for (std::size_t i = 0; i < bars.size(); ++i)
    if (std::abs(bars[i].all - bars[i].sum()) > 0.05)  // less than a pixel
      remainder.spots.push_back(remainder_of(bars[i], static_cast<double>(i), subtitle));
  panel.layers.push_back(std::move(remainder));
  return panel;
}

}  // namespace

Figure stages_figure(const std::string& name, const std::string& subtitle,
                     const attribution::StageErrors& errors) {
  const std::vector<Drawn> stages = drawn(errors);
  const std::vector<std::string> titles = names_by(errors.stages, &attribution::StageError::title);
  const auto layer = [&](Form form, const char* part, const char* what, std::size_t style,
                         auto value) {
    return curve(form, part, what, style, subtitle, errors, stages, value);
  };
  Panel panel{.x = error_axis(stages),
              .y = named_lines(titles, true),
              .layers = {layer(Form::line, "after", "error after the stage", 0,
                               [](const Drawn& each) { return std::optional(each.after); }),
                         layer(Form::points, "added", "what the stage adds", 3,
                               [](const Drawn& each) { return std::optional(each.added); }),
                         layer(Form::points, "expected", "expected error", 2,
                               [](const Drawn& each) { return each.expected; })},
              .height = stage_height * static_cast<int>(stages.size())};
  Figure figure{
      .name = name, .title = "Error after each stage", .subtitle = subtitle, .legend_on_top = true};
  for (const Layer& each : panel.layers)
    if (!each.spots.empty()) figure.legend.push_back(sample_entry(each.tip, each));
  figure.panels.push_back(std::move(panel));
  return figure;
}

Figure budget_figure(const std::string& name, const std::string& subtitle,
                     const attribution::Budget& budget) {
  const std::vector<Bar> bars = bars_of(budget);
  Figure figure{.name = name,
                .title = "Error by source",
                .subtitle = subtitle,
                .panels = {bars_panel(budget, subtitle, {bars.data(), 1})},
                .legend_on_top = true,
                .shared_y = false,
                .most_columns = 1};
  if (bars.size() > 1)
    figure.panels.push_back(bars_panel(budget, subtitle, std::span(bars).subspan(1)));
  for (const Layer& source : figure.panels.front().layers) {
    figure.legend.push_back(sample_entry(source.tip, source));
    if (source.part == "source") figure.legend.back().sample.part.clear();  // the style tells it
  }
  return figure;
}

}  // namespace fftprec::figures

#include "reports/silicon/explanation_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "experiments/support/decimal.hpp"
#include "reports/figures/text.hpp"
#include "reports/silicon/explanation_text.hpp"

namespace fftprec::silicon {

using figures::Figure;
using figures::Form;
using figures::Layer;
using figures::Panel;
using figures::Range;
using figures::series_class;
using figures::series_mark;
using figures::Tick;

namespace {

constexpr double covered = 0.95;
constexpr int row_width = 120;
constexpr int frame_height = 300;

struct Bar {
  double low;
  double centre;
  double high;
};

/// Geometric middle of a published interval: what ratios are taken to.
double middle(const PublishedValue& value) {
  return std::sqrt(std::max(value.low, exact_error) * value.high);
}

Bar ratio_of(const silicon::Predictive& predicted, double published) {
  const double centre = std::exp(predicted.centre) / published;
  const double factor = std::exp(silicon::half_width(predicted, covered));
  return {centre / factor, centre, centre * factor};
}

/// 1, 1.1, 1.2, 1.5, 2, 5, 10, ... to either side of 1: as many as the range asks for.
std::vector<Tick> ratio_ticks(double low, double high) {
  std::vector<Tick> ticks;
  const bool narrow = high / low < 2;
  const bool wide = high / low > 30;
  const std::vector<double> steps =
      narrow
          ? std::vector<double>{0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.3, 1.4}
      : wide ? std::vector<double>{1}
             : std::vector<double>{0.05, 0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9,
                                   1,    1.2, 1.5, 2,   3,   5,   10,  20};
  for (const double step : steps) ticks.push_back({step, {.text = shortest(step)}, step == 1});
  if (wide)
    for (int k = static_cast<int>(std::floor(std::log10(low))); k <= std::ceil(std::log10(high));
         ++k)
      if (k != 0) ticks.push_back({std::pow(10.0, k), {.text = "10", .raised = std::to_string(k)}});
  return ticks;
}

/// The published intervals: grey fields. Adds them to the range.
Layer published_layer(const silicon::Measured& measured, Range& range) {
  Layer layer{.form = Form::boxes, .part = "published", .colour = "line", .opacity = 0.45};
  for (std::size_t i = 0; i < measured.rows.size(); ++i) {
    const double unit = middle(measured.rows[i].values[0]);
    for (const PublishedValue& value : measured.rows[i].values) {
      const double from = std::max(value.low, exact_error) / unit;
      const double to = value.high / unit;
      layer.spots.push_back(
          {.x = static_cast<double>(i) - 0.42,
           .y = from,
           .x2 = static_cast<double>(i) + 0.42,
           .y2 = to,
           .tip = fmt::format("published {}", published_texts(measured.rows[i]))});
      range.add(from);
      range.add(to);
    }
  }
  return layer;
}

/// The predictions of the v-th variant beside those of the others: intervals and their centres.
/// What is not predicted is not drawn.
std::pair<Layer, Layer> predicted_layers(const silicon::Explanation& explanation, std::size_t v,
                                         std::size_t shown, Range& range) {
  const silicon::Judged& judged = explanation.ranked[v];
  const std::string title = judged.variant.id + " " + silicon::variant_text(judged.variant);
  Layer whiskers{.form = Form::whiskers,
                 .part = "predicted",
                 .style = v,
                 .colour = series_class(v),
                 .width = 1.6,
                 .tip = title};
  Layer centres = whiskers;
  centres.form = Form::points;
  centres.mark = series_mark(v);
  const double shift = 0.7 * ((static_cast<double>(v) + 0.5) / static_cast<double>(shown) - 0.5);
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    if (!judged.rows[i].predicted.defined()) continue;
    const silicon::MeasuredRow& row = explanation.measured.rows[i];
    const Bar bar = ratio_of(judged.rows[i].predicted, middle(row.values[0]));
    const double place = static_cast<double>(i) + shift;
    whiskers.spots.push_back({.x = place, .y = bar.low, .y2 = bar.high});
    centres.spots.push_back(
        {.x = place,
         .y = bar.centre,
         .tip = fmt::format("{}\nrow {}: algorithm {}, mode {}, n {}\npredicted {}, published "
                            "{}\npredicted / published {:.4g} ({:.4g} to {:.4g})",
                            title, silicon::row_letter(i), row.where.algorithm, row.where.mode,
                            row.where.n, silicon::predicted_text(judged.rows[i].predicted),
                            published_texts(row), bar.centre, bar.low, bar.high)});
    range.add(std::max(bar.low, 1e-6));
    range.add(std::min(bar.high, 1e6));
  }
  return {std::move(whiskers), std::move(centres)};
}

}  // namespace

Figure explanation_figure(const std::string& name, const silicon::Explanation& explanation,
                          std::size_t most) {
  const silicon::Measured& measured = explanation.measured;
  const std::size_t shown = std::min(most, silicon::worth_showing(explanation));
  Range range{0.9, 1.1};
  Panel panel{.height = frame_height};
  panel.layers.push_back(published_layer(measured, range));
  Figure figure{
      .name = name,
      .title = measured.name + ": " +
               (explanation.none_fits() ? "no variant fits; the nearest" : "what fits"),
      .subtitle = fmt::format("predicted over published error, with 95 % of each prediction; {} "
                              "variants tried, {} published digits",
                              explanation.ranked.size(), explanation.digits),
      .legend = {{"published, to its digits", panel.layers.front()}}};
  for (std::size_t v = 0; v < shown; ++v) {
    auto [whiskers, centres] = predicted_layers(explanation, v, shown, range);
    figure.legend.push_back({centres.tip, whiskers});
    figure.legend.back().sample.mark = centres.mark;
    panel.layers.push_back(std::move(whiskers));
    panel.layers.push_back(std::move(centres));
  }
  for (figures::LegendEntry& entry : figure.legend) entry.sample.spots.clear();
  panel.y = {.logarithmic = true,
             .low = range.low / 1.05,
             .high = range.high * 1.05,
             .label = "predicted error / published error",
             .ticks = ratio_ticks(range.low / 1.05, range.high * 1.05),
             .rules = {{1}},
             .grid = true};
  std::vector<std::string> names;
  double widest = row_width;
  for (std::size_t i = 0; i < measured.rows.size(); ++i) {
    const silicon::MeasuredRow& row = measured.rows[i];
    names.push_back(fmt::format("{}: {}\nn = {}\n{}", silicon::row_letter(i), row.where.mode,
                                row.where.n, published_texts(row)));
    for (const std::string& text :
         {silicon::row_letter(i) + ": " + row.where.mode, published_texts(row)})
      widest = std::max(widest, figures::text_width(text, 13) + 14);
  }
  panel.x = figures::named_lines(names, false);
  panel.width = std::max(360, static_cast<int>(std::ceil(widest)) * static_cast<int>(names.size()));
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace fftprec::silicon

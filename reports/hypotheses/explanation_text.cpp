#include "reports/hypotheses/explanation_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "reports/figures/text.hpp"
#include "reports/hypotheses/likely_cause.hpp"
#include "reports/results/csv.hpp"
#include "reports/text/table.hpp"

namespace fftprec::hypotheses {

namespace {

using Lines = std::vector<std::vector<std::string>>;

/// "a", "b", ..., "z", "aa", ...
std::string row_letter(std::size_t index) {
  std::string letters(1, static_cast<char>('a' + index % 26));
  return index < 26 ? letters : row_letter(index / 26 - 1) + letters;
}

/// "1.74e-3", one digit more than would be published, of a defined prediction; else "-".
std::string predicted_text(const Predictive& predicted) {
  return predicted.defined() ? published_text(predicted_error(predicted), predicted.digits() + 1)
                             : "-";
}

/// Whether no variant's tables are tried: every row has its own.
bool fixes_tables(const Measured& measured) {
  return std::ranges::all_of(measured.rows, &MeasuredRow::tables_known);
}

/// "trn{demote=terms}, exact, stockham for fp32": what tells a variant from the others of its set.
std::string variant_text(const Variant& variant, bool fixed_tables = false) {
  if (variant.machine == as_named) return phrase_of(variant);
  std::string text =
      variant.machine + (fixed_tables || variant.tables == as_named ? "" : ", " + variant.tables);
  if (variant.dispatch.name != Dispatch().name) text += ", " + variant.dispatch.name;
  return text;
}

std::string heading(const Explanation& explanation) {
  const Measured& measured = explanation.measured;
  std::string text = measured.name + (measured.what.empty() ? "" : ": " + measured.what) + "\n";
  if (!measured.source.empty()) text += "source: " + measured.source + "\n";
  text += fmt::format("{}, {}; {} in {} ({} predict differently), {} replays of each row\n\n",
                      counted(measured.rows.size(), "row"),
                      counted(static_cast<std::size_t>(explanation.digits), "published digit"),
                      explanation.set.hypotheses.size() == 1
                          ? std::string("1 hypothesis")
                          : fmt::format("{} hypotheses", explanation.set.hypotheses.size()),
                      counted(explanation.tried, "variant"), explanation.ranked.size(),
                      explanation.options.replays.count);
  Lines lines = {{"row", "case", "input", "seed", "metric", "published"}};
  for (std::size_t i = 0; i < measured.rows.size(); ++i) {
    const MeasuredRow& row = measured.rows[i];
    lines.push_back({row_letter(i), label(row), row.where.input,
                     row.seed_known ? std::to_string(row.where.seed) : "not known",
                     std::string(row.metric->name), published_texts(row)});
  }
  return text + text::terminal_table({lines, 5});
}

std::vector<std::string> predictions(const JudgedVariant& judged) {
  return names_by(judged.rows, [](const RowVerdict& row) {
    return predicted_text(row.predicted) + (row.refutes ? "!" : " ");
  });
}

std::string off_by(const JudgedVariant& judged) {
  if (std::isinf(judged.worst_miss)) return "-";
  const double factor = std::exp(judged.worst_miss);
  return factor < 2 ? fmt::format("{:.1f} %", 100 * (factor - 1))
                    : fmt::format("x {}", short_number(factor));
}

void add_letters(std::vector<std::string>& cells, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) cells.push_back(row_letter(i) + " ");
}

/// "H0", or "H0 H1 H4 and 5 more" for all with identical predictions.
std::string ids_of(const JudgedVariant& judged) {
  constexpr std::size_t most = 3;
  std::vector<std::string> ids = {judged.variant.id};
  for (const Variant& variant : judged.alike)
    if (std::ranges::find(ids, variant.id) == ids.end()) ids.push_back(variant.id);
  std::string text;
  for (std::size_t i = 0; i < std::min(most, ids.size()); ++i) text += (i == 0 ? "" : " ") + ids[i];
  return ids.size() > most ? text + fmt::format(" and {} more", ids.size() - most) : text;
}

/// Why a variant may be off by nothing although its columns show other digits than were measured.
std::string repeats_note(const Explanation& explanation, std::size_t shown) {
  const bool repeats = std::any_of(explanation.ranked.begin(),
                                   explanation.ranked.begin() + static_cast<std::ptrdiff_t>(shown),
                                   [](const JudgedVariant& judged) {
                                     return std::ranges::any_of(judged.rows, &RowVerdict::repeats);
                                   });
  if (!repeats) return {};
  return fmt::format(
      "off by: 0 for a row whose digits the replay without jitter repeats; columns show the mean\n"
      "of {} replays with jitter.\n",
      explanation.options.replays.count);
}

std::string ranked_table(const Explanation& explanation, std::size_t most) {
  const std::size_t fitting = variants_not_refuted(explanation).size();
  std::string text;
  if (fitting == 0)
    text = "\nNONE FITS: every variant is refuted by some row. The nearest:\n";
  else
    text = fmt::format("\n{} of {} that predict differently:\n",
                       counted(fitting, "variant") + (fitting == 1 ? " fits" : " fit"),
                       explanation.ranked.size());
  const std::size_t shown = std::min(most, shown_count(explanation));
  Lines lines = {{"rank", "hypothesis", "variant", "P", "ln L", "off by"}};
  add_letters(lines[0], explanation.measured.rows.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const JudgedVariant& judged = explanation.ranked[i];
    lines.push_back({fmt::format("{}{}", judged.rank, judged.tied ? "=" : ""), ids_of(judged),
                     variant_text(judged.variant, fixes_tables(explanation.measured)),
                     fitting == 0 ? "-" : fmt::format("{:.3f}", judged.posterior),
                     fmt::format("{:.2f}", judged.log_likelihood), off_by(judged)});
    for (std::string& cell : predictions(judged)) lines.back().push_back(std::move(cell));
  }
  text += text::terminal_table({lines, 3});
  if (fitting > shown) text += fmt::format("and {} more\n", fitting - shown);
  return text + repeats_note(explanation, shown);
}

/// The variant of this hypothesis among those with identical predictions, or null.
const Variant* variant_of(const JudgedVariant& judged, const std::string& id) {
  if (judged.variant.id == id) return &judged.variant;
  for (const Variant& variant : judged.alike)
    if (variant.id == id) return &variant;
  return nullptr;
}

std::string refuting(const JudgedVariant& judged) {
  std::string letters;
  for (std::size_t i = 0; i < judged.rows.size(); ++i)
    if (judged.rows[i].refutes) letters += (letters.empty() ? "" : " ") + row_letter(i);
  return letters.empty() ? "-" : letters;
}

struct Tally {
  const JudgedVariant* best = nullptr;  ///< the first
  std::size_t fit = 0;
  std::size_t all = 0;
};

/// Of the variants that count.
template <class Counts>
Tally tally(const Explanation& explanation, Counts counts) {
  Tally result;
  for (const JudgedVariant& judged : explanation.ranked) {
    if (!counts(judged)) continue;
    if (!result.best) result.best = &judged;
    ++result.all;
    if (!judged.refuted) ++result.fit;
  }
  return result;
}

std::string hypothesis_table(const Explanation& explanation) {
  Lines lines = {{"hypothesis", "best variant", "refuted by", "fit", "differing", "off by"}};
  add_letters(lines[0], explanation.measured.rows.size());
  for (const Hypothesis& hypothesis : explanation.set.hypotheses) {
    const auto [best, fit, all] = tally(explanation, [&](const JudgedVariant& judged) {
      return variant_of(judged, hypothesis.id) != nullptr;
    });
    if (!best) continue;
    lines.push_back(
        {hypothesis.id,
         variant_text(*variant_of(*best, hypothesis.id), fixes_tables(explanation.measured)),
         refuting(*best), std::to_string(fit), std::to_string(all), off_by(*best)});
    for (std::string& cell : predictions(*best)) lines.back().push_back(std::move(cell));
  }
  return "\nEach hypothesis by its best variant (! the row refutes it):\n" +
         text::terminal_table({lines, 3});
}

using ValueOf = std::string (*)(const Variant&);

bool holds(const JudgedVariant& judged, ValueOf value_of, const std::string& value) {
  return value_of(judged.variant) == value ||
         std::ranges::any_of(judged.alike,
                             [&](const Variant& other) { return value_of(other) == value; });
}

/// How many variants with each value fit; empty where no row depends on the value.
std::string factor_lines(const Explanation& explanation, const std::string& name, ValueOf value_of,
                         const std::vector<std::string>& values) {
  const bool matters = std::ranges::any_of(explanation.ranked, [&](const JudgedVariant& judged) {
    return std::ranges::any_of(
        values, [&](const std::string& value) { return !holds(judged, value_of, value); });
  });
  if (!matters) return {};
  std::string text = "\n";
  for (const std::string& value : values) {
    const auto [best, fit, all] = tally(
        explanation, [&](const JudgedVariant& judged) { return holds(judged, value_of, value); });
    text += fmt::format("{} {}: {} of {} fit", name, value, fit, all);
    if (best && fit == 0)
      text += fmt::format("; the best, {}, is off by {} and refuted by {}", best->variant.machine,
                          off_by(*best), refuting(*best));
    text += "\n";
  }
  return text;
}

std::string factors(const Explanation& explanation) {
  return factor_lines(
             explanation, "tables", [](const Variant& variant) { return variant.tables; },
             explanation.set.tables) +
         factor_lines(
             explanation, "run", [](const Variant& variant) { return variant.dispatch.name; },
             names_by(explanation.set.dispatches, &Dispatch::name));
}

/// Whether tables are those that each row names, where a hypothesis says nothing else.
bool leaves_names(const HypothesisSet& set) {
  return set.tables.size() == 1 && set.tables.front() == as_named;
}

std::string worth(const Explanation& explanation) {
  const std::size_t fitting = variants_not_refuted(explanation).size();
  std::string text = fmt::format(
      "\nA row refutes below a probability of {} (level {} over {}). {} were tried against "
      "{} "
      "published digits; if each prediction were wrong at random by a factor of about 2, {} "
      "would fit by chance.\n",
      short_number(refutation_level(explanation.options.level, explanation.measured), 2),
      short_number(explanation.options.level, 6), counted(explanation.measured.rows.size(), "row"),
      counted(explanation.ranked.size(), "variant"), explanation.digits,
      short_number(explanation.expected_chance_fits, 2));
  constexpr double far_below = 0.1;
  if (explanation.expected_chance_fits > far_below * static_cast<double>(fitting) && fitting > 0)
    text += "WARNING: many variants against few digits: a fit is a candidate, not a finding.\n";
  if (fitting > 1 && explanation.ranked.front().tied)
    text += fmt::format("Ranks with = are ties: likelihoods within a factor of {}.\n",
                        short_number(tie_factor, 6));
  return text;
}

}  // namespace

std::string explanation_text(const Explanation& explanation, std::size_t most) {
  return heading(explanation) + ranked_table(explanation, most) + hypothesis_table(explanation) +
         (leaves_names(explanation.set) ? std::string() : factors(explanation)) +
         worth(explanation);
}

namespace {

/// "A", "B", ...
std::string group_letter(std::size_t index) {
  std::string letters = row_letter(index);
  std::ranges::transform(letters, letters.begin(),
                         [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  return letters;
}

/// The predicted text, and the spread where it is more than two digits show.
std::string cell(const Predictive& predicted) {
  std::string text = predicted_text(predicted);
  if (predicted.defined() && predicted.spread > 0.05)
    text += fmt::format("~{:.0f}%", 100 * std::expm1(predicted.spread));
  return text;
}

std::string groups_table(const Design& design, std::size_t shown) {
  Lines lines = {{"group", "hypotheses", "first variant", "variants", "P"}};
  for (std::size_t g = 0; g < shown; ++g) {
    const Group& group = design.groups[g];
    std::set<std::string> ids;
    for (const JudgedVariant& judged : group.members) {
      ids.insert(judged.variant.id);
      for (const Variant& variant : judged.alike) ids.insert(variant.id);
    }
    lines.push_back({group_letter(g), fmt::format("{}", fmt::join(ids, " ")),
                     variant_text(group.members[0].variant), std::to_string(group.members.size()),
                     fmt::format("{:.3f}", group.posterior)});
  }
  return text::terminal_table({lines, 3});
}

/// "torch_randn, seed 42"; no seed where any will do.
std::string input_text(const MeasuredRow& row) {
  return row.where.input + (row.seed_known ? fmt::format(", seed {}", row.where.seed) : "");
}

std::vector<std::string> experiment_cells(const Experiment& experiment, std::size_t shown) {
  const Case& where = experiment.row.where;
  const std::string seed = experiment.row.seed_known ? std::to_string(where.seed) : "-";
  std::vector<std::string> cells = {label(experiment.row), where.input + " " + seed,
                                    std::string(experiment.row.metric->name),
                                    fmt::format("{:.2f}", experiment.bits)};
  for (std::size_t g = 0; g < shown; ++g)
    cells.push_back(g < experiment.predicted.size() ? cell(experiment.predicted[g]) : "-");
  return cells;
}

std::string experiments_table(const std::vector<Experiment>& experiments, std::size_t most,
                              std::size_t shown) {
  Lines lines = {{"experiment", "input, seed", "metric", "bits"}};
  for (std::size_t g = 0; g < shown; ++g) lines[0].push_back(group_letter(g));
  for (std::size_t i = 0; i < std::min(most, experiments.size()); ++i)
    lines.push_back(experiment_cells(experiments[i], shown));
  return text::terminal_table({lines, 3});
}

}  // namespace

std::string design_text(const Design& design, std::size_t most) {
  const std::size_t shown = std::min(most, design.groups.size());
  std::string text = "\nNot distinguished by any measured row or any experiment below:\n" +
                     groups_table(design, shown);
  if (design.groups.size() > shown)
    text += fmt::format("and {} more groups\n", design.groups.size() - shown);
  if (!design.longer.empty())
    text += "\nWhat they predict of what was measured, at greater lengths:\n" +
            experiments_table(design.longer, design.longer.size(), shown);
  if (design.groups.size() < 2)
    return text + "\nNo experiment is left to do: there is one group.\n";
  if (design.experiments.empty() || design.experiments.front().bits < 0.01)
    return text + "\nNo experiment distinguishes these groups.\n";
  const Experiment& best = design.experiments.front();
  return text +
         fmt::format(
             "\nTHE DISCRIMINATING EXPERIMENT: {}, input {}, {} to {} digits: {:.2f} of {:.2f} "
             "bits. "
             "The next best follow it:\n",
             label(best.row), input_text(best.row), best.row.metric->name,
             best.predicted.front().is_gain ? "five" : "two", best.bits, design.open_bits) +
         experiments_table(design.experiments, most, shown);
}

namespace {

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string alike_text(const JudgedVariant& judged) {
  std::string text;
  for (const Variant& variant : judged.alike)
    text += (text.empty() ? "" : "; ") + variant.id + " " + variant.machine + " " + variant.tables +
            " " + variant.dispatch.name;
  return text;
}

std::vector<std::string> header() {
  std::vector<std::string> names = {"rank",   "tied",     "refuted",   "hypothesis",     "machine",
                                    "tables", "dispatch", "posterior", "log_likelihood", "row"};
  for (const Column& axis : axis_columns())
    if (axis.name != "machine") names.push_back("ran_" + std::string(axis.name));
  for (const char* name : {"seed_known", "metric", "published", "predicted", "spread", "tail",
                           "miss", "refutes", "failure", "alike", "replay"})
    names.emplace_back(name);
  return names;
}

std::vector<std::string> cells_of(const JudgedVariant& judged, std::size_t i,
                                  const Explanation& explanation) {
  const MeasuredRow& measured = explanation.measured.rows[i];
  const RowVerdict& row = judged.rows[i];
  std::vector<std::string> cells = {std::to_string(judged.rank),     yes_or_no(judged.tied),
                                    yes_or_no(judged.refuted),       judged.variant.id,
                                    judged.variant.machine,          judged.variant.tables,
                                    judged.variant.dispatch.name,    shortest(judged.posterior),
                                    shortest(judged.log_likelihood), std::to_string(i + 1)};
  Row ran;
  ran.where = row.ran;
  for (const Column& axis : axis_columns())
    if (axis.name != "machine") cells.push_back(axis.text(ran));
  const bool defined = row.predicted.defined();
  const std::vector<Case> replays =
      replays_of(row.ran, measured.seed_known, explanation.options.replays);
  for (const std::string& cell :
       {yes_or_no(measured.seed_known), std::string(measured.metric->name),
        published_texts(measured), defined ? shortest(predicted_error(row.predicted)) : "",
        defined ? shortest(row.predicted.spread) : "", shortest(row.tail),
        shortest(std::exp(row.miss)), yes_or_no(row.refutes), row.failure, alike_text(judged),
        command_of(replays.front())})
    cells.push_back(cell);
  return cells;
}

}  // namespace

std::string explanation_csv(const Explanation& explanation) {
  std::string text = results::csv_line(header());
  for (const JudgedVariant& judged : explanation.ranked)
    for (std::size_t i = 0; i < judged.rows.size(); ++i)
      text += results::csv_line(cells_of(judged, i, explanation));
  return text;
}

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

Bar ratio_of(const hypotheses::Predictive& predicted, double published) {
  const double centre = std::exp(predicted.centre) / published;
  const double factor = std::exp(hypotheses::half_width(predicted, covered));
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
      if (k != 0)
        ticks.push_back({std::pow(10.0, k), {.text = "10", .superscript = std::to_string(k)}});
  return ticks;
}

/// The published intervals: grey fields. Adds them to the range.
Layer published_layer(const hypotheses::Measured& measured, Range& range) {
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

/// The predictions of the v-th variant: intervals and their centres, beside the other variants.
/// Rows without a prediction are not drawn.
std::pair<Layer, Layer> predicted_layers(const hypotheses::Explanation& explanation, std::size_t v,
                                         std::size_t shown, Range& range) {
  const hypotheses::JudgedVariant& judged = explanation.ranked[v];
  const std::string title =
      judged.variant.id + " " +
      hypotheses::variant_text(judged.variant, hypotheses::fixes_tables(explanation.measured));
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
    const hypotheses::MeasuredRow& row = explanation.measured.rows[i];
    const Bar bar = ratio_of(judged.rows[i].predicted, middle(row.values[0]));
    const double place = static_cast<double>(i) + shift;
    whiskers.spots.push_back({.x = place, .y = bar.low, .y2 = bar.high});
    centres.spots.push_back(
        {.x = place,
         .y = bar.centre,
         .tip = fmt::format("{}\nrow {}: algorithm {}, mode {}, n {}\npredicted {}, published "
                            "{}\npredicted / published {} ({} to {})",
                            title, hypotheses::row_letter(i), row.where.algorithm, row.where.mode,
                            row.where.n, hypotheses::predicted_text(judged.rows[i].predicted),
                            published_texts(row), short_number(bar.centre, 4),
                            short_number(bar.low, 4), short_number(bar.high, 4))});
    range.add(std::max(bar.low, 1e-6));
    range.add(std::min(bar.high, 1e6));
  }
  return {std::move(whiskers), std::move(centres)};
}

}  // namespace

Figure explanation_figure(const std::string& name, const hypotheses::Explanation& explanation,
                          std::size_t most) {
  const hypotheses::Measured& measured = explanation.measured;
  const std::size_t shown = std::min(most, hypotheses::shown_count(explanation));
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
      .legend = {figures::sample_entry("published, to its digits", panel.layers.front())}};
  for (std::size_t v = 0; v < shown; ++v) {
    auto [whiskers, centres] = predicted_layers(explanation, v, shown, range);
    figure.legend.push_back(figures::sample_entry(centres.tip, whiskers));
    figure.legend.back().sample.mark = centres.mark;
    panel.layers.push_back(std::move(whiskers));
    panel.layers.push_back(std::move(centres));
  }
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
    const hypotheses::MeasuredRow& row = measured.rows[i];
    names.push_back(fmt::format("{}: {}\nn = {}\n{}", hypotheses::row_letter(i), row.where.mode,
                                row.where.n, published_texts(row)));
    for (const std::string& text :
         {hypotheses::row_letter(i) + ": " + row.where.mode, published_texts(row)})
      widest = std::max(widest, figures::text_width(text, 13) + 14);
  }
  panel.x = figures::named_lines(names, false);
  panel.width = std::max(360, static_cast<int>(std::ceil(widest)) * static_cast<int>(names.size()));
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace fftprec::hypotheses

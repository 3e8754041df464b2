#include "reports/silicon/explanation_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "experiments/support/decimal.hpp"
#include "reports/results/csv.hpp"
#include "reports/text/cells.hpp"

namespace fftprec::silicon {

namespace {

using Lines = std::vector<std::vector<std::string>>;

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
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
  return text + text::text_table(lines, 5);
}

std::vector<std::string> predictions(const Judged& judged) {
  std::vector<std::string> cells;
  for (const RowVerdict& row : judged.rows)
    cells.push_back(predicted_text(row.predicted) + (row.refutes ? "!" : " "));
  return cells;
}

std::string off_by(const Judged& judged) {
  if (std::isinf(judged.worst_miss)) return "-";
  const double factor = std::exp(judged.worst_miss);
  return factor < 2 ? fmt::format("{:.1f} %", 100 * (factor - 1)) : fmt::format("x {:.3g}", factor);
}

void add_letters(std::vector<std::string>& cells, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) cells.push_back(row_letter(i) + " ");
}

/// "H0", or "H0 H1 H4 and 5 more" of all that predict the same.
std::string ids_of(const Judged& judged) {
  constexpr std::size_t most = 3;
  std::vector<std::string> ids = {judged.variant.id};
  for (const Variant& variant : judged.alike)
    if (std::find(ids.begin(), ids.end(), variant.id) == ids.end()) ids.push_back(variant.id);
  std::string text;
  for (std::size_t i = 0; i < std::min(most, ids.size()); ++i) text += (i == 0 ? "" : " ") + ids[i];
  return ids.size() > most ? text + fmt::format(" and {} more", ids.size() - most) : text;
}

std::string ranked_table(const Explanation& explanation, std::size_t most) {
  const std::size_t fitting = survivors_of(explanation).size();
  std::string text;
  if (fitting == 0)
    text = "\nNONE FITS: every variant is refuted by some row. The nearest:\n";
  else
    text = fmt::format("\n{} of {} that predict differently:\n",
                       counted(fitting, "variant") + (fitting == 1 ? " fits" : " fit"),
                       explanation.ranked.size());
  const std::size_t shown = std::min(most, worth_showing(explanation));
  Lines lines = {{"rank", "hypothesis", "variant", "P", "ln L", "off by"}};
  add_letters(lines[0], explanation.measured.rows.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Judged& judged = explanation.ranked[i];
    lines.push_back({fmt::format("{}{}", judged.rank, judged.tied ? "=" : ""), ids_of(judged),
                     variant_text(judged.variant),
                     fitting == 0 ? "-" : fmt::format("{:.3f}", judged.posterior),
                     fmt::format("{:.2f}", judged.log_likelihood), off_by(judged)});
    for (std::string& cell : predictions(judged)) lines.back().push_back(std::move(cell));
  }
  text += text::text_table(lines, 3);
  if (fitting > shown) text += fmt::format("and {} more\n", fitting - shown);
  return text;
}

/// The variant of that hypothesis among those that predict the same, or null.
const Variant* variant_of(const Judged& judged, const std::string& id) {
  if (judged.variant.id == id) return &judged.variant;
  for (const Variant& variant : judged.alike)
    if (variant.id == id) return &variant;
  return nullptr;
}

std::string refuting(const Judged& judged) {
  std::string letters;
  for (std::size_t i = 0; i < judged.rows.size(); ++i)
    if (judged.rows[i].refutes) letters += (letters.empty() ? "" : " ") + row_letter(i);
  return letters.empty() ? "-" : letters;
}

std::string hypothesis_table(const Explanation& explanation) {
  Lines lines = {{"hypothesis", "best variant", "refuted by", "fit", "differing", "off by"}};
  add_letters(lines[0], explanation.measured.rows.size());
  for (const Hypothesis& hypothesis : explanation.set.hypotheses) {
    const Judged* best = nullptr;
    std::size_t fit = 0;
    std::size_t all = 0;
    for (const Judged& judged : explanation.ranked) {
      if (!variant_of(judged, hypothesis.id)) continue;
      if (!best) best = &judged;
      ++all;
      if (!judged.refuted) ++fit;
    }
    if (!best) continue;
    lines.push_back({hypothesis.id, variant_text(*variant_of(*best, hypothesis.id)),
                     refuting(*best), std::to_string(fit), std::to_string(all), off_by(*best)});
    for (std::string& cell : predictions(*best)) lines.back().push_back(std::move(cell));
  }
  return "\nEach hypothesis by its best variant (! the row refutes it):\n" +
         text::text_table(lines, 3);
}

using ValueOf = std::string (*)(const Variant&);

bool holds(const Judged& judged, ValueOf value_of, const std::string& value) {
  return value_of(judged.variant) == value ||
         std::any_of(judged.alike.begin(), judged.alike.end(),
                     [&](const Variant& other) { return value_of(other) == value; });
}

/// How many variants with each value fit; empty where no row depends on the value.
std::string factor_lines(const Explanation& explanation, const std::string& name, ValueOf value_of,
                         const std::vector<std::string>& values) {
  const bool matters =
      std::any_of(explanation.ranked.begin(), explanation.ranked.end(), [&](const Judged& judged) {
        return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
          return !holds(judged, value_of, value);
        });
      });
  if (!matters) return {};
  std::string text = "\n";
  for (const std::string& value : values) {
    std::size_t fit = 0;
    std::size_t all = 0;
    const Judged* best = nullptr;
    for (const Judged& judged : explanation.ranked) {
      if (!holds(judged, value_of, value)) continue;
      if (!best) best = &judged;
      ++all;
      if (!judged.refuted) ++fit;
    }
    text += fmt::format("{} {}: {} of {} fit", name, value, fit, all);
    if (best && fit == 0)
      text += fmt::format("; the best, {}, is off by {} and refuted by {}", best->variant.machine,
                          off_by(*best), refuting(*best));
    text += "\n";
  }
  return text;
}

std::string factors(const Explanation& explanation) {
  std::vector<std::string> dispatches;
  for (const Dispatch& each : explanation.set.dispatches) dispatches.push_back(each.name);
  return factor_lines(
             explanation, "tables", [](const Variant& variant) { return variant.tables; },
             explanation.set.tables) +
         factor_lines(
             explanation, "run", [](const Variant& variant) { return variant.dispatch.name; },
             dispatches);
}

std::string worth(const Explanation& explanation) {
  const std::size_t fitting = survivors_of(explanation).size();
  std::string text = fmt::format(
      "\nA row refutes below a probability of {:.2g} (level {:g} over {}). {} were tried against "
      "{} "
      "published digits; if each prediction were wrong at random by a factor of about 2, {:.2g} "
      "would fit by chance.\n",
      row_level(explanation.options.level, explanation.measured), explanation.options.level,
      counted(explanation.measured.rows.size(), "row"),
      counted(explanation.ranked.size(), "variant"), explanation.digits, explanation.by_chance);
  constexpr double far_below = 0.1;
  if (explanation.by_chance > far_below * static_cast<double>(fitting) && fitting > 0)
    text += "WARNING: so many variants against so few digits: a fit is a candidate, no finding.\n";
  if (fitting > 1 && explanation.ranked.front().tied)
    text +=
        fmt::format("Ranks with = are ties: likelihoods within a factor of {:g}.\n", tie_factor);
  return text;
}

}  // namespace

std::string row_letter(std::size_t index) {
  std::string letters(1, static_cast<char>('a' + index % 26));
  return index < 26 ? letters : row_letter(index / 26 - 1) + letters;
}

std::string predicted_text(const Predictive& predicted) {
  return predicted.defined() ? published_text(predicted_error(predicted), predicted.digits() + 1)
                             : "-";
}

std::string variant_text(const Variant& variant) {
  std::string text = variant.machine + ", " + variant.tables;
  if (variant.dispatch.name != Dispatch().name) text += ", " + variant.dispatch.name;
  return text;
}

std::string explanation_text(const Explanation& explanation, std::size_t most) {
  return heading(explanation) + ranked_table(explanation, most) + hypothesis_table(explanation) +
         factors(explanation) + worth(explanation);
}

namespace {

/// "A", "B", ...
std::string group_letter(std::size_t index) {
  std::string letters = row_letter(index);
  std::transform(letters.begin(), letters.end(), letters.begin(),
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
    for (const Judged& judged : group.members) {
      ids.insert(judged.variant.id);
      for (const Variant& variant : judged.alike) ids.insert(variant.id);
    }
    lines.push_back({group_letter(g), fmt::format("{}", fmt::join(ids, " ")),
                     variant_text(group.members[0].variant), std::to_string(group.members.size()),
                     fmt::format("{:.3f}", group.posterior)});
  }
  return text::text_table(lines, 3);
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
  return text::text_table(lines, 3);
}

}  // namespace

std::string design_text(const Design& design, std::size_t most) {
  const std::size_t shown = std::min(most, design.groups.size());
  std::string text =
      "\nWhat no measured row and no experiment below tells apart:\n" + groups_table(design, shown);
  if (design.groups.size() > shown)
    text += fmt::format("and {} more groups\n", design.groups.size() - shown);
  if (!design.longer.empty())
    text += "\nWhat they predict of what was measured, at greater lengths:\n" +
            experiments_table(design.longer, design.longer.size(), shown);
  if (design.groups.size() < 2)
    return text + "\nNo experiment is left to make: there is one group.\n";
  if (design.experiments.empty() || design.experiments.front().bits < 0.01)
    return text + "\nNone of the experiments tells these groups apart.\n";
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

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& each : cells) line += (line.empty() ? "" : ",") + results::csv_cell(each);
  return line + "\n";
}

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string alike_text(const Judged& judged) {
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

std::vector<std::string> cells_of(const Judged& judged, std::size_t i,
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
  std::string text = csv_line(header());
  for (const Judged& judged : explanation.ranked)
    for (std::size_t i = 0; i < judged.rows.size(); ++i)
      text += csv_line(cells_of(judged, i, explanation));
  return text;
}

}  // namespace fftprec::silicon

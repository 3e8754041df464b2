#include "experiments/hypotheses/explain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

#include "experiments/sweeps/sweep.hpp"

namespace fftprec::hypotheses {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Merges variants whose rows have equal `key_of(row)`.
template <class KeyOf>
std::vector<JudgedVariant> distinct(std::vector<JudgedVariant> variants, const KeyOf& key_of) {
  std::vector<JudgedVariant> all;
  std::map<std::vector<std::invoke_result_t<KeyOf, const RowVerdict&>>, std::size_t> known;
  for (JudgedVariant& judged : variants) {
    typename decltype(known)::key_type key;
    for (const RowVerdict& row : judged.rows) key.push_back(key_of(row));
    const auto [place, is_new] = known.emplace(std::move(key), all.size());
    if (is_new) {
      all.push_back(std::move(judged));
      continue;
    }
    std::vector<Variant>& alike = all[place->second].alike;
    alike.push_back(judged.variant);
    alike.insert(alike.end(), judged.alike.begin(), judged.alike.end());
  }
  return all;
}

/// Merges variants that run identical cases.
std::vector<JudgedVariant> to_judge(const std::vector<Variant>& variants,
                                    const Measured& measured) {
  std::vector<JudgedVariant> all;
  for (const Variant& variant : variants) {
    JudgedVariant judged;
    judged.variant = variant;
    for (const MeasuredRow& row : measured.rows)
      judged.rows.push_back({.ran = case_under(variant, row), .predicted = {}});
    all.push_back(std::move(judged));
  }
  all = distinct(std::move(all), [](const RowVerdict& row) { return row.ran; });
  for (std::size_t i = 0; i < all.size(); ++i) all[i].place = i;
  return all;
}

std::vector<Case> all_replays(const std::vector<JudgedVariant>& variants,
                              const std::vector<MeasuredRow>& rows, const ReplayPlan& plan) {
  std::vector<Case> cases;
  for (const JudgedVariant& judged : variants)
    for (const MeasuredRow& row : rows)
      for (Case& replay : replays_of(case_under(judged.variant, row), row.seed_known, plan))
        cases.push_back(std::move(replay));
  return cases;
}

/// Any of the published values may be the right one, so the best fit decides whether the row
/// refutes.
void judge_values(RowVerdict& verdict, const std::vector<PublishedValue>& values) {
  double probability = 0;
  verdict.tail = 0;
  verdict.miss = infinity;
  for (const PublishedValue& value : values) {
    probability +=
        interval_probability(verdict.predicted, value) / static_cast<double>(values.size());
    verdict.tail = std::max(verdict.tail, tail_probability(verdict.predicted, value));
    verdict.miss = std::min(verdict.miss, miss(verdict.predicted, value));
  }
  verdict.log_likelihood = std::log(probability);
}

/// Whether the replay without jitter has the row's digits.
bool repeats(const Case& ran, const MeasuredRow& row, const ReplayPlan& plan,
             const Replayer& replayer) {
  const Case first = replays_of(ran, row.seed_known, plan).front();
  const std::optional<double> error = row.metric->number(replayer.row(first));
  return error && std::ranges::any_of(row.values, [&](const PublishedValue& value) {
           return value.low <= *error && *error <= value.high;
         });
}

void judge(JudgedVariant& judged, const Measured& measured, const ExplainOptions& options,
           const Replayer& replayer) {
  const double least_tail = refutation_level(options.level, measured);
  for (std::size_t i = 0; i < measured.rows.size(); ++i) {
    RowVerdict& verdict = judged.rows[i];
    const Replayed found =
        replayed(verdict.ran, measured.rows[i], options.replays, options.further_spread, replayer);
    verdict.predicted = found.predicted;
    verdict.failure = found.failure;
    judge_values(verdict, measured.rows[i].values);
    if (options.may_repeat && verdict.failure.empty()) {
      verdict.repeats = repeats(verdict.ran, measured.rows[i], options.replays, replayer);
      const double repeated = verdict.repeats ? 1 : 0;
      verdict.log_likelihood = std::log((std::exp(verdict.log_likelihood) + repeated) / 2);
      if (verdict.repeats) verdict.tail = 1;
      if (verdict.repeats) verdict.miss = 0;
    }
    verdict.refutes = verdict.tail < least_tail;
    judged.log_likelihood += verdict.log_likelihood;
    judged.refuted = judged.refuted || verdict.refutes;
    judged.worst_miss = std::max(judged.worst_miss, verdict.miss);
  }
}

/// The refuted come last; then the likelihood decides, then how far the worst row is off.
bool better(const JudgedVariant& a, const JudgedVariant& b) {
  if (a.refuted != b.refuted) return b.refuted;
  if (a.log_likelihood != b.log_likelihood) return a.log_likelihood > b.log_likelihood;
  return a.worst_miss < b.worst_miss;
}

void give_ranks(std::vector<JudgedVariant>& ranked) {
  for (std::size_t first = 0; first < ranked.size();) {
    std::size_t end = first + 1;
    const auto ties = [&](const JudgedVariant& other) {
      if (other.refuted != ranked[first].refuted) return false;
      if (other.log_likelihood == ranked[first].log_likelihood)
        return other.worst_miss == ranked[first].worst_miss;
      return ranked[first].log_likelihood - other.log_likelihood < std::log(tie_factor);
    };
    while (end < ranked.size() && ties(ranked[end])) ++end;
    std::sort(ranked.begin() + static_cast<std::ptrdiff_t>(first),
              ranked.begin() + static_cast<std::ptrdiff_t>(end),
              [](const JudgedVariant& a, const JudgedVariant& b) { return a.place < b.place; });
    for (std::size_t i = first; i < end; ++i) {
      ranked[i].rank = first + 1;
      ranked[i].tied = end - first > 1;
    }
    first = end;
  }
}

double prior_of(const JudgedVariant& judged) {
  double prior = judged.variant.prior;
  for (const Variant& variant : judged.alike) prior += variant.prior;
  return prior;
}

void give_posteriors(std::vector<JudgedVariant>& ranked) {
  double best = -infinity;
  for (const JudgedVariant& judged : ranked) best = std::max(best, judged.log_likelihood);
  if (best == -infinity) return;
  double total = 0;
  for (JudgedVariant& judged : ranked) {
    judged.posterior = prior_of(judged) * std::exp(judged.log_likelihood - best);
    total += judged.posterior;
  }
  for (JudgedVariant& judged : ranked) judged.posterior /= total;
}

/// What the logarithm of a factor counts against: errors are near or far by factors, gains by how
/// far they are from 1.
double scale_of(const Predictive& predicted) {
  return predicted.is_gain ? std::hypot(predicted.centre, predicted.spread) : 1;
}

/// Whether every variant makes equal predictions for both rows.
bool same_predictions(const std::vector<JudgedVariant>& variants, std::size_t a, std::size_t b) {
  return std::ranges::all_of(variants, [a, b](const JudgedVariant& judged) {
    const Predictive& one = judged.rows[a].predicted;
    const Predictive& other = judged.rows[b].predicted;
    return one.defined() == other.defined() && one.is_gain == other.is_gain &&
           std::abs(one.centre - other.centre) <
               std::log(1.1) * scale_of(one) + std::hypot(one.spread, other.spread);
  });
}

/// P(the row does not refute) if the prediction is off by a factor of about 2, a gain by about as
/// much as it is from 1.
double chance_of(const Predictive& predicted, const MeasuredRow& row, double least_tail) {
  if (!predicted.defined()) return 0;
  constexpr double nearly_normal = 1000;
  const Predictive shaken{predicted.centre, std::log(2.0) * scale_of(predicted), nearly_normal};
  const double reach = std::exp(half_width(predicted, 1 - least_tail));
  double chance = 0;
  for (const PublishedValue& value : row.values)
    chance += interval_probability(
        shaken, {value.text, value.digits, value.low / reach, value.high * reach});
  return std::min(1.0, chance);
}

}  // namespace

Explanation explain(const Measured& measured, const HypothesisSet& set,
                    const ExplainOptions& options, Replayer& replayer) {
  Explanation explanation{.measured = measured, .set = set, .options = options, .ranked = {}};
  // Where all rows say what their tables are, a hypothesis about tables has nothing to tell.
  if (std::ranges::all_of(measured.rows, &MeasuredRow::tables_known))
    std::erase_if(explanation.set.hypotheses, [&](const Hypothesis& each) {
      return !each.tables.empty() && set.hypotheses.size() > 1;
    });
  const std::vector<Variant> variants = variants_of(explanation.set);
  explanation.tried = variants.size();
  explanation.ranked = to_judge(variants, measured);
  replayer.run(all_replays(explanation.ranked, measured.rows, options.replays));
  explanation.replays = replayer.count();
  for (JudgedVariant& judged : explanation.ranked) judge(judged, measured, options, replayer);
  // Parameters that no row depends on make no variant of their own.
  explanation.ranked = distinct(std::move(explanation.ranked), [](const RowVerdict& row) {
    return std::pair(row.predicted.centre, row.predicted.spread);
  });
  std::ranges::stable_sort(explanation.ranked, better);
  give_ranks(explanation.ranked);
  give_posteriors(explanation.ranked);
  for (const MeasuredRow& row : measured.rows) explanation.digits += row.values[0].digits;
  explanation.expected_chance_fits =
      expected_chance_fits(explanation.ranked, measured, options.level);
  return explanation;
}

std::size_t shown_count(const Explanation& explanation) {
  constexpr std::size_t nearest = 5;
  const auto fitting = static_cast<std::size_t>(std::ranges::count_if(
      explanation.ranked, [](const JudgedVariant& judged) { return !judged.refuted; }));
  return fitting > 0 ? fitting : std::min(nearest, explanation.ranked.size());
}

std::vector<JudgedVariant> variants_not_refuted(const Explanation& explanation) {
  std::vector<JudgedVariant> survivors;
  for (const JudgedVariant& judged : explanation.ranked)
    if (!judged.refuted) survivors.push_back(judged);
  return survivors;
}

std::vector<JudgedVariant> hypothesis_representatives(const JudgedVariant& judged) {
  std::vector<JudgedVariant> all;
  std::vector<Variant> variants = {judged.variant};
  variants.insert(variants.end(), judged.alike.begin(), judged.alike.end());
  const double prior = prior_of(judged);
  for (const Variant& variant : variants) {
    auto of_id = std::ranges::find_if(
        all, [&variant](const JudgedVariant& each) { return each.variant.id == variant.id; });
    if (of_id == all.end()) {
      of_id = all.insert(all.end(), judged);
      of_id->variant = variant;
      of_id->alike.clear();
      of_id->posterior = 0;
    }
    of_id->posterior += judged.posterior * variant.prior / prior;
  }
  return all;
}

double refutation_level(double level, const Measured& measured) {
  return level / static_cast<double>(measured.rows.size());
}

double expected_chance_fits(const std::vector<JudgedVariant>& variants, const Measured& measured,
                            double level) {
  std::vector<std::size_t> telling;
  for (std::size_t i = 0; i < measured.rows.size(); ++i)
    if (std::ranges::none_of(telling,
                             [&](std::size_t j) { return same_predictions(variants, i, j); }))
      telling.push_back(i);
  double expected = 0;
  for (const JudgedVariant& judged : variants) {
    double chance = 1;
    for (const std::size_t i : telling)
      chance *=
          chance_of(judged.rows[i].predicted, measured.rows[i], refutation_level(level, measured));
    expected += chance;
  }
  return expected;
}

namespace {

/// Predictions whose published texts differ with a smaller probability cannot be separated.
constexpr double told_apart = 0.05;

using Predictions = std::vector<Predictive>;  // one per candidate

/// Whether some candidate or measured row separates the two.
bool differ(const JudgedVariant& a, const Predictions& of_a, const JudgedVariant& b,
            const Predictions& of_b) {
  const auto tell = [](const Predictive& one, const Predictive& other) {
    if (!one.defined() || !other.defined()) return one.defined() != other.defined();
    return distance(outcomes_of(one), outcomes_of(other)) > told_apart;
  };
  for (std::size_t i = 0; i < of_a.size(); ++i)
    if (tell(of_a[i], of_b[i])) return true;
  for (std::size_t i = 0; i < a.rows.size(); ++i)
    if (tell(a.rows[i].predicted, b.rows[i].predicted)) return true;
  return false;
}

struct Grouped {
  std::vector<Group> groups;
  std::vector<Predictions> predicted;  ///< of the first member of each
};

Grouped group(const std::vector<JudgedVariant>& remaining,
              const std::vector<Predictions>& predicted) {
  Grouped grouped;
  double total = 0;
  for (std::size_t i = 0; i < remaining.size(); ++i) {
    std::size_t g = 0;
    while (g < grouped.groups.size() &&
           differ(grouped.groups[g].members[0], grouped.predicted[g], remaining[i], predicted[i]))
      ++g;
    if (g == grouped.groups.size()) {
      grouped.groups.emplace_back();
      grouped.predicted.push_back(predicted[i]);
    }
    grouped.groups[g].members.push_back(remaining[i]);
    grouped.groups[g].posterior += remaining[i].posterior;
    total += remaining[i].posterior;
  }
  for (Group& each : grouped.groups)
    each.posterior =
        total > 0 ? each.posterior / total : 1 / static_cast<double>(grouped.groups.size());
  return grouped;
}

Experiment experiment_of(const MeasuredRow& row, const Grouped& grouped, std::size_t candidate) {
  Experiment experiment{.row = row};
  std::vector<Outcomes> outcomes;
  std::vector<double> weights;
  for (std::size_t g = 0; g < grouped.groups.size(); ++g) {
    const Predictive& predicted = grouped.predicted[g][candidate];
    experiment.predicted.push_back(predicted);
    if (!predicted.defined()) return experiment;  // who cannot run it is not told by it
    outcomes.push_back(outcomes_of(predicted));
    weights.push_back(grouped.groups[g].posterior);
  }
  experiment.bits = information_bits(outcomes, weights);
  return experiment;
}

double entropy_over(const std::vector<Group>& groups) {
  double bits = 0;
  for (const Group& each : groups)
    if (each.posterior > 0) bits -= each.posterior * std::log2(each.posterior);
  return bits;
}

bool same_case(const MeasuredRow& a, const MeasuredRow& b) {
  return a.where == b.where && a.metric == b.metric && a.seed_known == b.seed_known;
}

bool holds(const std::vector<MeasuredRow>& rows, const MeasuredRow& row) {
  return std::ranges::any_of(rows,
                             [&row](const MeasuredRow& each) { return same_case(each, row); });
}

/// The measured case of each algorithm and mode, at twice and four times the largest length.
std::vector<MeasuredRow> longer_rows(const Measured& measured) {
  std::map<std::pair<Case, const Column*>, std::pair<std::uint64_t, MeasuredRow>> longest;
  for (const MeasuredRow& row : measured.rows) {
    Case family = row.where;
    family.n = 0;
    auto& [n, kept] = longest[{family, row.metric}];
    if (row.where.n > n) {
      n = row.where.n;
      kept = row;
    }
  }
  std::vector<MeasuredRow> rows;
  for (const std::uint64_t factor : {2u, 4u})
    for (const auto& [family, longest_row] : longest) {
      MeasuredRow row = longest_row.second;
      row.where.n *= factor;
      row.values.clear();
      rows.push_back(std::move(row));
    }
  return rows;
}

}  // namespace

std::vector<MeasuredRow> candidates_from(std::string_view sweep_toml, std::string_view source,
                                         const CheckNames& check_names) {
  const Sweep sweep = parse_sweep(sweep_toml, source, check_names);
  std::vector<std::string> metrics = sweep.metrics;
  if (metrics.empty()) metrics = {"err_linf_rel"};
  std::vector<Case> cases = cases_of(sweep);
  for (Case& where : cases) where.machine = Case().machine;
  normalise(cases);
  std::vector<MeasuredRow> rows;
  for (const Case& where : cases)
    for (const std::string& metric : metrics)
      rows.push_back(
          {.where = where, .seed_known = true, .metric = &column_named(metric), .values = {}});
  return rows;
}

Design design_experiments(const std::vector<JudgedVariant>& remaining, const Measured& measured,
                          const std::vector<MeasuredRow>& candidates, const DesignOptions& options,
                          Replayer& replayer) {
  std::vector<MeasuredRow> rows = longer_rows(measured);
  const std::size_t longer = rows.size();
  for (const MeasuredRow& candidate : candidates)
    if (!holds(rows, candidate) && !holds(measured.rows, candidate)) rows.push_back(candidate);
  replayer.run(all_replays(remaining, rows, options.replays));

  std::vector<Predictions> predicted;
  for (const JudgedVariant& judged : remaining) {
    predicted.emplace_back();
    for (const MeasuredRow& row : rows)
      predicted.back().push_back(replayed(case_under(judged.variant, row), row, options.replays,
                                          options.further_spread, replayer)
                                     .predicted);
  }
  const Grouped grouped = group(remaining, predicted);

  Design design;
  design.groups = grouped.groups;
  design.open_bits = entropy_over(grouped.groups);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Experiment experiment = experiment_of(rows[i], grouped, i);
    if (i < longer) design.longer.push_back(experiment);
    design.experiments.push_back(std::move(experiment));
  }
  std::ranges::stable_sort(
      design.experiments, [](const Experiment& a, const Experiment& b) { return a.bits > b.bits; });
  return design;
}

}  // namespace fftprec::hypotheses

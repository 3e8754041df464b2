#include "experiments/silicon/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiments/sweeps/sweep.hpp"

namespace fftprec::silicon {

namespace {

/// Texts that differ less often than this are the same for all that can be published.
constexpr double told_apart = 0.05;

using Predictions = std::vector<Predictive>;  // one per candidate

std::vector<Case> all_replays(const std::vector<Judged>& remaining,
                              const std::vector<MeasuredRow>& candidates, const ReplayPlan& plan) {
  std::vector<Case> cases;
  for (const Judged& judged : remaining)
    for (const MeasuredRow& row : candidates)
      for (Case& replay : replays_of(case_under(judged.variant, row), row.seed_known, plan))
        cases.push_back(std::move(replay));
  return cases;
}

/// Whether some candidate or measured row tells the two apart.
bool differ(const Judged& a, const Predictions& of_a, const Judged& b, const Predictions& of_b) {
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

Grouped group(const std::vector<Judged>& remaining, const std::vector<Predictions>& predicted) {
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
  return std::any_of(rows.begin(), rows.end(),
                     [&row](const MeasuredRow& each) { return same_case(each, row); });
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

Design design_experiments(const std::vector<Judged>& remaining, const Measured& measured,
                          const std::vector<MeasuredRow>& candidates, const DesignOptions& options,
                          Replayer& replayer) {
  std::vector<MeasuredRow> rows = longer_rows(measured);
  const std::size_t longer = rows.size();
  for (const MeasuredRow& candidate : candidates)
    if (!holds(rows, candidate) && !holds(measured.rows, candidate)) rows.push_back(candidate);
  replayer.run(all_replays(remaining, rows, options.replays));

  std::vector<Predictions> predicted;
  for (const Judged& judged : remaining) {
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
  std::stable_sort(design.experiments.begin(), design.experiments.end(),
                   [](const Experiment& a, const Experiment& b) { return a.bits > b.bits; });
  return design;
}

}  // namespace fftprec::silicon

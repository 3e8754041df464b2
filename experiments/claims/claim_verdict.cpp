#include "experiments/claims/claim_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "arith/support/error.hpp"

namespace fftprec::claims {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The gate with only its upper threshold if it has two.
gates::Gate one_sided(gates::Gate gate) {
  for (gates::PublishedFigure& figure : gate.figures) figure.value.low = 0;
  if (gate.max_ratio < infinity) gate.min_ratio = 0;
  if (gate.max_slope < infinity) gate.min_slope = -infinity;
  return gate;
}

/// The factor, at least 1, between the nearest comparison and its threshold: the largest ratio of a
/// gate that fails, the inverse of it for one that holds. Infinite where hashes are equal; 1 where
/// nothing was compared.
double margin_of(const gates::Verdict& verdict) {
  if (!verdict.worst) return 1;
  const double ratio = verdict.worst->ratio;
  if (ratio > 1) return ratio;
  return ratio > 0 ? 1 / ratio : infinity;
}

/// value / threshold of the comparison that is nearest or farthest beyond. Of two thresholds the
/// upper one is taken, so that it grows with the value. Empty if it is no positive number.
std::optional<double> position(const gates::Gate& gate, std::span<const Row> rows) {
  const gates::Verdict verdict = check_gate(one_sided(gate), rows);
  if (!verdict.worst || !(verdict.worst->ratio > 0) || std::isinf(verdict.worst->ratio)) return {};
  return verdict.worst->ratio;
}

/// Standard deviation of the logarithms, n - 1 in the denominator; empty if a value is. Requires:
/// at least two values.
std::optional<double> deviation_of_logs(const std::vector<std::optional<double>>& values) {
  double sum = 0;
  for (const auto& value : values) {
    if (!value) return {};
    sum += std::log(*value);
  }
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0;
  for (const auto& value : values) squares += std::pow(std::log(*value) - mean, 2);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

/// max|t|, or 0 of nothing.
double largest_magnitude(const truth::Truth& truth) {
  double largest = 0;
  for (std::size_t i = 0; i < truth.hi.size(); ++i)
    largest = std::max(largest, truth.hi.re[i] * truth.hi.re[i] + truth.hi.im[i] * truth.hi.im[i]);
  return std::sqrt(largest);
}

/// One way to draw the inputs of an experiment.
struct Draw {
  std::uint64_t seed;
  std::uint64_t jitter = 0;  ///< 0: none
};

/// The case on this draw.
Case drawn(Case where, const Draw& draw) {
  where.seed = draw.seed;
  if (draw.jitter > 0) where.input = fmt::format("jitter:k={}:inner={}", draw.jitter, where.input);
  return where;
}

std::vector<Draw> jitter_draws(const Claim& claim) {
  std::vector<Draw> draws;
  for (std::uint64_t k = 1; k <= claim.jitters; ++k) draws.push_back({claim.published_seed, k});
  return draws;
}

std::vector<Draw> seed_draws(const Claim& claim) {
  std::vector<Draw> draws;
  for (const std::uint64_t seed : claim.seeds) draws.push_back({seed});
  return draws;
}

/// The rows of one claim by draw, all under the axes of the experiment but for the seed.
class Rows {
 public:
  Rows(const Claim& claim, const Evidence& evidence)
      : base_(cases_of(claim.experiment)), evidence_(evidence) {}

  /// Missing rows are left out: evaluate_claim() has listed them.
  std::vector<Row> on(const std::vector<Draw>& draws, bool absolute) const {
    std::vector<Row> rows;
    for (const Draw& draw : draws)
      for (const Case& base : base_) {
        const auto found = evidence_.rows.find(drawn(base, draw));
        if (found == evidence_.rows.end()) continue;
        rows.push_back(found->second);
        if (absolute) make_absolute(rows.back());
        rows.back().where.set(&Case::input, base.input);
      }
    return rows;
  }

 private:
  void make_absolute(Row& row) const {
    if (row.err_linf_rel) *row.err_linf_rel *= evidence_.truth_max.at(problem_key(row.where));
  }

  std::vector<Case> base_;
  const Evidence& evidence_;
};

gates::Verdict judged(const ClaimCheck& check, const std::vector<Row>& rows) {
  gates::Verdict verdict = check_gate(check.gate, rows);
  if (check.absolute && verdict.worst) {
    std::string& text = verdict.worst->text;
    if (const std::size_t at = text.find(check.gate.metric); at != std::string::npos)
      text.replace(at, check.gate.metric.size(), "max|y - t|");
  }
  return verdict;
}

/// A check on the draws that it asks for, and on each draw by itself.
struct Judged {
  CheckResult result;
  std::vector<bool> on_seed;    ///< by seed of our own
  std::vector<bool> on_jitter;  ///< by jitter
};

Judged judged_on_all(const Claim& claim, const ClaimCheck& check, const Rows& rows) {
  const std::vector<Draw> seeds = seed_draws(claim);
  const std::vector<Draw> published = {{claim.published_seed}};
  Judged outcome;
  CheckResult& result = outcome.result;
  result.verdict =
      judged(check, rows.on(check.draws == Draws::published ? published : seeds, check.absolute));
  result.passed = result.verdict.holds();
  result.margin = margin_of(result.verdict);
  std::vector<std::optional<double>> positions;
  for (const Draw& draw : seeds) {
    const std::vector<Row> drawn_rows = rows.on({draw}, check.absolute);
    outcome.on_seed.push_back(check_gate(check.gate, drawn_rows).holds());
    positions.push_back(position(check.gate, drawn_rows));
  }
  result.spread = deviation_of_logs(positions);
  const auto unmoved = position(check.gate, rows.on(published, check.absolute));
  for (const Draw& draw : jitter_draws(claim)) {
    const std::vector<Row> moved_rows = rows.on({draw}, check.absolute);
    outcome.on_jitter.push_back(check_gate(check.gate, moved_rows).holds());
    if (const auto moved = position(check.gate, moved_rows); moved && unmoved)
      result.jitter = std::max(result.jitter.value_or(0), std::abs(*moved / *unmoved - 1));
  }
  const auto alike = [&result](const std::vector<bool>& passes) {
    return static_cast<std::size_t>(std::ranges::count(passes, result.passed));
  };
  result.seeds_alike = alike(outcome.on_seed);
  result.jitters_alike = alike(outcome.on_jitter);
  return outcome;
}

std::vector<std::string> problems_of(const Claim& claim, const Evidence& evidence,
                                     const std::vector<CheckResult>& results) {
  std::vector<std::string> problems;
  for (const Case& where : cases_of(claim)) {
    const auto found = evidence.rows.find(where);
    if (found == evidence.rows.end())
      problems.push_back("no row of " + command_of(where));
    else if (found->second.status != Status::ok)
      problems.push_back(fmt::format("{}: {}: {}", command_of(where), name_of(found->second.status),
                                     found->second.message));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (const std::string& error : results[i].verdict.errors)
      problems.push_back(claim.checks[i].gate.name + ": " + error);
    if (results[i].verdict.checked == 0 && results[i].verdict.errors.empty())
      problems.push_back(claim.checks[i].gate.name + ": nothing was compared");
  }
  return problems;
}

/// All checks in the rule; for `otherwise`, which has none, all checks of all rules.
std::vector<std::string> named_by(const Claim& claim, const VerdictRule& rule) {
  std::vector<std::string> names = rule.pass;
  names.insert(names.end(), rule.fail.begin(), rule.fail.end());
  if (!names.empty()) return names;
  for (const VerdictRule& each : claim.rules) {
    const std::vector<std::string> more = named_by(claim, each);
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

std::size_t nearest_check(const Claim& claim, const VerdictRule& rule,
                          const std::vector<CheckResult>& results) {
  const std::vector<std::string> names = named_by(claim, rule);
  std::size_t nearest = results.size();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (std::ranges::find(names, claim.checks[i].gate.name) == names.end()) continue;
    if (nearest == results.size() ||
        margin_over_uncertainty(claim.checks[i], results[i]) <
            margin_over_uncertainty(claim.checks[nearest], results[nearest]))
      nearest = i;
  }
  return nearest;
}

}  // namespace

std::vector<Case> cases_of(const Claim& claim) {
  std::vector<Case> cases;
  for (const Case& base : cases_of(claim.experiment))
    for (const std::vector<Draw>& draws :
         {std::vector<Draw>{{claim.published_seed}}, seed_draws(claim), jitter_draws(claim)})
      for (const Draw& draw : draws) cases.push_back(drawn(base, draw));
  normalise(cases);
  return cases;
}

std::vector<Case> cases_of_all(std::span<const Claim> claims) {
  std::vector<Case> cases;
  for (const Claim& claim : claims)
    for (Case& where : cases_of(claim)) cases.push_back(std::move(where));
  normalise(cases);
  return cases;
}

Evidence measure_claims(std::vector<CasePlan> plans, const RunOptions& options,
                        const RowSink& sink) {
  Evidence evidence;
  run_cases(std::move(plans), options, [&](const FinishedCase& finished) {
    const Row& row = finished.row;
    evidence.rows[row.where] = row;
    if (finished.problem)
      if (const auto [at, is_new] = evidence.truth_max.try_emplace(problem_key(row.where)); is_new)
        at->second = largest_magnitude(finished.problem->truth);
    if (sink) sink(finished);
  });
  return evidence;
}

std::optional<double> margin_in_spreads(const CheckResult& result) {
  if (!result.spread || std::isinf(result.margin)) return {};
  return std::log(result.margin) / *result.spread;
}

double margin_over_uncertainty(const ClaimCheck& check, const CheckResult& result) {
  const bool jittered = check.draws == Draws::published && result.jitter;
  const double uncertainty = jittered ? std::log1p(*result.jitter) : result.spread.value_or(0);
  return uncertainty > 0 ? std::log(result.margin) / uncertainty
                         : std::numeric_limits<double>::infinity();
}

bool rests_on(const Claim& claim, Draws draws) {
  const std::vector<std::string> names = named_by(claim, claim.otherwise);
  return std::ranges::any_of(claim.checks, [&](const ClaimCheck& check) {
    return check.draws == draws && std::ranges::find(names, check.gate.name) != names.end();
  });
}

ClaimVerdict evaluate_claim(const Claim& claim, const Evidence& evidence) {
  const Rows rows(claim, evidence);
  ClaimVerdict judged;
  judged.claim = claim;
  std::vector<Judged> outcomes;
  Outcomes passes;
  for (const ClaimCheck& check : claim.checks) {
    outcomes.push_back(judged_on_all(claim, check, rows));
    judged.checks.push_back(outcomes.back().result);
    passes[check.gate.name] = outcomes.back().result.passed;
  }
  judged.problems = problems_of(claim, evidence, judged.checks);
  judged.rule = rule_for(claim, passes);
  judged.nearest = nearest_check(claim, judged.rule, judged.checks);
  // The verdict with those checks that look at `draws` judged on draw i alone.
  const auto alike = [&](Draws draws, std::vector<bool> Judged::*by_draw, std::size_t count) {
    std::size_t same = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Outcomes single = passes;
      for (std::size_t c = 0; c < outcomes.size(); ++c)
        if (claim.checks[c].draws == draws)
          single[claim.checks[c].gate.name] = (outcomes[c].*by_draw)[i];
      if (rule_for(claim, single).ruling == judged.rule.ruling) ++same;
    }
    return same;
  };
  judged.seeds_alike = alike(Draws::seeds, &Judged::on_seed, claim.seeds.size());
  judged.jitters_alike = alike(Draws::published, &Judged::on_jitter, claim.jitters);
  return judged;
}

std::string found_by(const ClaimVerdict& judged, std::string_view check) {
  for (std::size_t i = 0; i < judged.checks.size(); ++i)
    if (judged.claim.checks[i].gate.name == check)
      return judged.checks[i].verdict.worst ? judged.checks[i].verdict.worst->text
                                            : "nothing was compared";
  throw InputError(fmt::format("claim {} has no check '{}'", judged.claim.id, check));
}

std::vector<Row> evidence_rows(const Claim& claim, const Evidence& evidence) {
  std::vector<Row> rows;
  for (const Case& where : cases_of(claim))
    if (const auto found = evidence.rows.find(where); found != evidence.rows.end())
      rows.push_back(found->second);
  return rows;
}

std::vector<std::string> checks_on(const Claim& claim, const Case& where) {
  std::vector<std::string> names;
  Row row;
  row.where = where;
  const bool published = where.seed == claim.published_seed;
  const bool own = std::ranges::find(claim.seeds, where.seed) != claim.seeds.end();
  for (const ClaimCheck& check : claim.checks) {
    const gates::Gate& gate = check.gate;
    if (!(check.draws == Draws::published ? published : own)) continue;
    const bool pair = !gate.left.texts.empty() || !gate.right.texts.empty();
    const bool figure = std::ranges::any_of(
        gate.figures,
        [&row](const gates::PublishedFigure& each) { return selects(each.where, row); });
    if (selects(gate.where, row) &&
        (!pair || selects(gate.left, row) || selects(gate.right, row)) &&
        (gate.figures.empty() || figure))
      names.push_back(gate.name);
  }
  return names;
}

}  // namespace fftprec::claims

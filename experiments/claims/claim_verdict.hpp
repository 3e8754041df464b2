/// Evaluates a claim: its checks on rows, the verdict, and how close both are to another outcome.
/// Pure functions of rows.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/session.hpp"
#include "experiments/claims/claim.hpp"
#include "experiments/sweeps/run.hpp"

namespace fftprec::claims {

/// All cases of the claim, in the order of results.csv: its experiment on the published seed, on
/// each seed of the claim file, and on every jitter of the published input
/// ("jitter:k=K:inner=INPUT").
std::vector<Case> cases_of(const Claim& claim);

/// The measured rows, shared by all claims.
struct Evidence {
  std::map<Case, Row> rows;
  std::map<ProblemKey, double> truth_max;  ///< max|t|
};

/// Measures the cases of claims, and passes each row to `sink`, if there is one. The evidence does
/// not depend on the number of threads. It is incomplete if options.stop becomes true.
Evidence measure_claims(std::vector<CasePlan> plans, const RunOptions& options,
                        const RowSink& sink = {});

/// The cases of all claims, each once.
std::vector<Case> cases_of_all(std::span<const Claim> claims);

/// The result of a check.
struct CheckResult {
  gates::Verdict verdict;  ///< on the draws of the check
  bool passed = false;     ///< by comparisons only; see ClaimVerdict::problems
  /// How far the nearest comparison is from its threshold, as a factor of at least 1: of the value,
  /// or for a slope, of the growth per doubling of n. Infinite if hashes are compared.
  double margin = 1;
  /// Standard deviation of ln(value / threshold) over the seeds, one at a time; empty if a value is
  /// 0 or infinite.
  std::optional<double> spread;
  std::size_t seeds_alike = 0;    ///< single seeds that alone give this outcome
  std::size_t jitters_alike = 0;  ///< jitters of the published input that give this outcome
  std::optional<double> jitter;   ///< largest |value / value without jitter - 1|
};

/// ln(margin) in units of the spread; empty without a spread.
std::optional<double> margin_in_spreads(const CheckResult& result);

/// ln(margin) in units of the uncertainty of the value: its spread over seeds or, for a check on
/// the published input that was jittered, the effect of the jitter. Infinite without uncertainty.
double margin_over_uncertainty(const ClaimCheck& check, const CheckResult& result);

struct ClaimVerdict {
  Claim claim;
  std::vector<CheckResult> checks;    ///< in the order of claim.checks
  VerdictRule rule;                   ///< the rule that holds
  std::vector<std::string> problems;  ///< why there is no verdict; empty if there is one
  std::size_t nearest = 0;            ///< index of the least certain check in the rule
  std::size_t seeds_alike = 0;        ///< single seeds that alone give this verdict
  std::size_t jitters_alike = 0;      ///< jitters of the published input that give this verdict

  bool is_decided() const { return problems.empty(); }
};

/// Evaluates the claim. Rows that are missing, skipped or failed, and checks that compare nothing,
/// are problems.
ClaimVerdict evaluate_claim(const Claim& claim, const Evidence& evidence);

/// The result of a check: the text of its nearest comparison.
std::string found_by(const ClaimVerdict& judged, std::string_view check);

/// Whether a rule uses a check on these draws, so that other draws could change the verdict.
bool rests_on(const Claim& claim, Draws draws);

/// The rows of the claim. Jittered rows have the names of their inputs.
std::vector<Row> evidence_rows(const Claim& claim, const Evidence& evidence);

/// The names of the checks that use a row with these axes, in the order of the claim.
std::vector<std::string> checks_on(const Claim& claim, const Case& where);

}  // namespace fftprec::claims

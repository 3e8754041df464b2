/// Settling a claim: its checks on rows, the verdict, and how far both are from a different
/// outcome. Pure functions of rows.
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

/// Every case of the claim: its experiment on the published seed, on each of its own seeds, and on
/// every jitter of the published input ("jitter:k=K:inner=INPUT"). In the order of results.csv.
std::vector<Case> cases_of(const Claim& claim);

/// The measured rows, shared by all claims.
struct Evidence {
  std::map<Case, Row> rows;
  std::map<ProblemKey, double> truth_max;  ///< max|t|
};

/// Measures the cases of claims, and hands each row on to `sink` unless that is empty. The evidence
/// does not depend on the number of threads. Less than all if options.stop becomes true.
Evidence measure_claims(std::vector<CasePlan> plans, const RunOptions& options,
                        const RowSink& sink = {});

/// The cases of all claims, each once.
std::vector<Case> cases_of_all(std::span<const Claim> claims);

/// A check on the rows.
struct CheckResult {
  gates::Verdict verdict;  ///< on the draws of the check
  bool passed = false;     ///< by comparisons only; see ClaimVerdict::problems
  /// The distance of the nearest comparison from its threshold, as a factor of at least 1 of the
  /// value, or for a slope of the growth per doubling of n. Infinite if hashes are compared.
  double margin = 1;
  /// Standard deviation of ln(value / threshold) over the seeds, one at a time; empty if a value is
  /// 0 or infinite.
  std::optional<double> spread;
  std::size_t seeds_alike = 0;    ///< single seeds with the outcome of all
  std::size_t jitters_alike = 0;  ///< jitters of the published input with this outcome
  std::optional<double> jitter;   ///< largest |value / value without jitter - 1|
};

/// ln(margin) in units of the spread; empty without a spread.
std::optional<double> margin_in_spreads(const CheckResult& result);

/// ln(margin) in units of the value's uncertainty: the spread over seeds or, if the published input
/// is judged and was jittered, the effect of the jitter. Infinite without uncertainty.
double margin_over_uncertainty(const ClaimCheck& check, const CheckResult& result);

struct ClaimVerdict {
  Claim claim;
  std::vector<CheckResult> checks;    ///< as claim.checks
  VerdictRule rule;                   ///< the one that holds
  std::vector<std::string> problems;  ///< why nothing is judged; empty: settled
  std::size_t nearest = 0;            ///< of the checks that the rule names, the least steady
  std::size_t seeds_alike = 0;        ///< single seeds that alone give this verdict
  std::size_t jitters_alike = 0;      ///< jitters that give it in place of the published input

  bool is_decided() const { return problems.empty(); }
};

/// A row that is missing, skipped or failed, and a check that compares nothing, are problems.
ClaimVerdict evaluate_claim(const Claim& claim, const Evidence& evidence);

/// The result of a check: the text of its nearest comparison.
std::string found_by(const ClaimVerdict& judged, std::string_view check);

/// Whether a rule names a check on these draws, so that another draw could change the verdict.
bool rests_on(const Claim& claim, Draws draws);

/// The rows of the claim, the jittered ones under the names of their inputs.
std::vector<Row> evidence_rows(const Claim& claim, const Evidence& evidence);

/// The names of the checks that use a row with these axes, in the order of the claim.
std::vector<std::string> checks_on(const Claim& claim, const Case& where);

}  // namespace fftprec::claims

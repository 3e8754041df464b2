/// Which hypotheses explain measured errors: likelihoods, ranks, and rows that refute a hypothesis.
///
/// The likelihood of a row is the probability of the interval between its published digits, under
/// the predictive distribution of a variant (prediction.hpp); with alternatives, the mean over
/// them. Rows count as independent. Priors are those of variants_of: the variants of a hypothesis
/// share its prior.
///
/// Also which experiment would separate the remaining hypotheses. Each candidate is a case that can
/// be run on hardware. Each hypothesis predicts probabilities for the two digits that would be
/// published. The candidates are ranked by the mutual information of these digits and of which
/// hypothesis is true (Lindley 1956).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/hypotheses/hypotheses.hpp"
#include "experiments/hypotheses/prediction.hpp"

namespace fftprec::hypotheses {

struct ExplainOptions {
  ReplayPlan replays{};
  double level = 0.01;        ///< highest probability that a true variant is refuted
  double further_spread = 0;  ///< of ln(error), added to every prediction
  /// Whether rows may be fftprec's own, which a true variant repeats to the last digit: half of the
  /// likelihood of a row is then that of its first replay alone.
  bool may_repeat = false;
};

/// A variant compared with one measured row.
struct RowVerdict {
  Case ran;  ///< the case that ran, without jitter
  Predictive predicted;
  double log_likelihood = 0;  ///< -inf if the probability is below the range of double
  double tail = 1;            ///< probability of a value as far out, or farther
  double miss = 0;            ///< |ln| of the factor to the interval; 0 inside it
  bool refutes = false;       ///< tail below level / rows (Bonferroni)
  bool repeats = false;       ///< the first replay has its digits; see ExplainOptions::may_repeat
  std::string failure{};      ///< why there is no prediction, or empty
};

struct JudgedVariant {
  Variant variant;
  std::size_t place = 0;       ///< in the order of variants_of
  std::vector<Variant> alike;  ///< later variants with identical predictions for all rows
  std::vector<RowVerdict> rows;
  double log_likelihood = 0;
  double posterior = 0;  ///< probability, if one of the variants tried is true
  std::size_t rank = 1;  ///< ties share one
  bool tied = false;     ///< other variants have this rank
  bool refuted = false;  ///< by any row
  double worst_miss = 0;
};

/// Variants of equal rank keep the order of their set. Their likelihoods differ by less than this
/// factor from the first: "not worth more than a bare mention" (Kass and Raftery 1995).
inline constexpr double tie_factor = 3;

struct Explanation {
  Measured measured;
  HypothesisSet set;
  ExplainOptions options;
  std::vector<JudgedVariant> ranked;  ///< variants with different predictions, best first
  std::size_t tried = 0;              ///< all variants, also those with identical predictions
  std::size_t replays = 0;            ///< cases run
  int digits = 0;                     ///< published, over all rows
  double expected_chance_fits = 0;    ///< see expected_chance_fits

  bool none_fits() const { return ranked.empty() || ranked.front().refuted; }
};

/// Replays every row under every variant of the set, and ranks the variants.
Explanation explain(const Measured& measured, const HypothesisSet& set,
                    const ExplainOptions& options, Replayer& replayer);

/// The probability below which a row refutes: level / rows (Bonferroni).
double refutation_level(double level, const Measured& measured);

/// The variants that no row refutes, in the order of rank.
std::vector<JudgedVariant> variants_not_refuted(const Explanation& explanation);

/// How many variants to show: all that no row refutes, or the 5 best if all are refuted.
std::size_t shown_count(const Explanation& explanation);

/// The variants that represent `judged` in a design of experiments. Of `judged` and the variants
/// alike, it returns the first of each hypothesis, with its share of the posterior probability.
std::vector<JudgedVariant> hypothesis_representatives(const JudgedVariant& judged);

/// The expected number of these variants that no row would refute if each prediction were wrong by
/// a random factor of about 2 (ln(factor) normal with standard deviation ln 2; for a gain, ln 2
/// times its own logarithm). Rows for which all variants make equal predictions, within 10 % and
/// their spreads, count once.
double expected_chance_fits(const std::vector<JudgedVariant>& variants, const Measured& measured,
                            double level);

/// A case to run on hardware and the error to publish.
struct Experiment {
  MeasuredRow row;                      ///< without values
  std::vector<Predictive> predicted{};  ///< one per group; undefined: the case is impossible there
  double bits = 0;                      ///< expected information
};

/// Hypotheses that neither the measured rows nor any candidate can separate, best first.
struct Group {
  std::vector<JudgedVariant> members;
  double posterior = 0;  ///< of all members, among the groups
};

struct Design {
  std::vector<Group> groups;
  std::vector<Experiment> experiments;  ///< most informative first
  std::vector<Experiment> longer;       ///< the measured cases at twice and four times the length
  double open_bits = 0;                 ///< entropy over the groups: the most to be learnt
};

struct DesignOptions {
  ReplayPlan replays{.count = 8};
  double further_spread = 0;
};

/// The candidates that come with the program, as a sweep (experiments/sweeps/sweep.hpp). Its
/// machines are ignored. Its `metrics` are the errors to publish, err_linf_rel if there are none.
std::string_view builtin_experiments();

/// The cases of a sweep as candidates. Throws what parse_sweep throws.
std::vector<MeasuredRow> candidates_from(std::string_view sweep_toml, std::string_view source,
                                         const CheckNames& check_names);

/// Groups `remaining`, predicts every candidate and ranks the candidates. Cases that were measured
/// are no candidates.
Design design_experiments(const std::vector<JudgedVariant>& remaining, const Measured& measured,
                          const std::vector<MeasuredRow>& candidates, const DesignOptions& options,
                          Replayer& replayer);

}  // namespace fftprec::hypotheses

/// Which hypotheses explain measured errors: likelihoods, ranks, and the rows that refute.
///
/// The likelihood of a row is the probability, under a variant's predictive distribution
/// (prediction.hpp), of the interval that the published digits leave open; where there are
/// alternatives, the mean over them. Rows count as independent. Priors are those of variants_of, so
/// that a hypothesis with many variants pays for them.
///
/// The experiment that would tell the remaining hypotheses apart.
///
/// Each candidate is a case that can be run on hardware. Under each hypothesis it would publish a
/// text of two digits with certain probabilities; what the text is expected to tell about which
/// hypothesis is true is their mutual information (Lindley 1956). The candidates are ranked by it.
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
  double level = 0.01;        ///< a true variant is refuted with this probability at most
  double further_spread = 0;  ///< of ln(error), added to every prediction
};

/// What a variant says of one measured row.
struct RowVerdict {
  Case ran;  ///< unjittered
  Predictive predicted;
  double log_likelihood = 0;  ///< -inf where the probability is below any double
  double tail = 1;            ///< probability of a value as far out, or farther
  double miss = 0;            ///< |ln| of the factor to the interval; 0 within
  bool refutes = false;       ///< tail below level / rows (Bonferroni)
  std::string failure{};      ///< why there is no prediction, or empty
};

struct Judged {
  Variant variant;
  std::size_t place = 0;       ///< in the order of variants_of
  std::vector<Variant> alike;  ///< later variants that predict the very same of every row
  std::vector<RowVerdict> rows;
  double log_likelihood = 0;
  double posterior = 0;  ///< probability, if one of the variants tried is true
  std::size_t rank = 1;  ///< ties share one
  bool tied = false;     ///< others have the same rank
  bool refuted = false;  ///< by any row
  double worst_miss = 0;
};

/// Variants of the same rank stand in the order of their set, and differ in likelihood by less than
/// this factor from the first of them: "not worth more than a bare mention" (Kass and Raftery
/// 1995).
inline constexpr double tie_factor = 3;

struct Explanation {
  Measured measured;
  HypothesisSet set;
  ExplainOptions options;
  std::vector<Judged> ranked;  ///< those that predict differently, best first
  std::size_t tried = 0;       ///< variants, those alike included
  std::size_t replays = 0;     ///< cases run
  int digits = 0;              ///< published, over all rows
  double by_chance = 0;        ///< see expected_chance_fits

  bool none_fits() const { return ranked.empty() || ranked.front().refuted; }
};

/// Replays every row under every variant of the set and judges.
Explanation explain(const Measured& measured, const HypothesisSet& set,
                    const ExplainOptions& options, Replayer& replayer);

/// The probability below which a row refutes: level / rows (Bonferroni).
double row_level(double level, const Measured& measured);

/// Those that no row refutes, in the order of rank.
std::vector<Judged> variants_not_refuted(const Explanation& explanation);

/// How many of the first ranked are worth a look: all that no row refutes, or the nearest 5 where
/// every one is refuted.
std::size_t shown_count(const Explanation& explanation);

/// The variants that stand for it in a design of experiments: of each hypothesis that it and those
/// alike belong to the first, with its share of the posterior probability.
std::vector<Judged> of_each_hypothesis(const Judged& judged);

/// How many of these variants no row would refute if each of their predictions were wrong at
/// random, by a factor of about 2 (ln(factor) normal with standard deviation ln 2; of a gain, so
/// many times its own logarithm). Rows of which every variant predicts the same as of an earlier
/// one, within 10 % and their spreads, count once.
double expected_chance_fits(const std::vector<Judged>& variants, const Measured& measured,
                            double level);

/// A case to run on hardware and the error to publish.
struct Experiment {
  MeasuredRow row;                      ///< without values
  std::vector<Predictive> predicted{};  ///< one per group; undefined: the hypothesis cannot run it
  double bits = 0;                      ///< expected information
};

/// Hypotheses that neither the measured rows nor any candidate tells apart, best first.
struct Group {
  std::vector<Judged> members;
  double posterior = 0;  ///< of all, among the groups
};

struct Design {
  std::vector<Group> groups;
  std::vector<Experiment> experiments;  ///< most telling first
  std::vector<Experiment> longer;       ///< what was measured, at twice and four times the length
  double open_bits = 0;                 ///< entropy over the groups: what there is to tell
};

struct DesignOptions {
  ReplayPlan replays{.count = 8};
  double further_spread = 0;
};

/// The candidates that come with the program: a sweep (experiments/sweeps/sweep.hpp), whose
/// machines do not count and whose `metrics` are those to publish, err_linf_rel if there are none.
std::string_view builtin_experiments();

/// The cases of a sweep as candidates. Throws what parse_sweep throws.
std::vector<MeasuredRow> candidates_from(std::string_view sweep_toml, std::string_view source,
                                         const CheckNames& check_names);

/// Groups `remaining`, predicts every candidate and ranks them; what was measured already is none.
Design design_experiments(const std::vector<Judged>& remaining, const Measured& measured,
                          const std::vector<MeasuredRow>& candidates, const DesignOptions& options,
                          Replayer& replayer);

}  // namespace fftprec::hypotheses

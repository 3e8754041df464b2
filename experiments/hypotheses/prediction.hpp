/// The prediction of a hypothesis for one error: a distribution of ln(error), from replays.
///
/// Errors vary by factors, so the model is of their logarithm. K replays y_1..y_K of ln(error) with
/// mean m and standard deviation s predict the next one as m + s sqrt(1 + 1/K) t, where t has
/// Student's distribution with K - 1 degrees of freedom. This is the prediction interval of a
/// normal sample, and it includes the uncertainty of s.
///
/// Replays of a coarse arithmetic can all be equal. No replay varies the order in which the engine
/// sums, which changes an error e by about 2^-25, half a unit roundoff of fp32 relative to the
/// largest output. So s is at least 2^-25 / e (measured: docs/explain.md), or 0.1 if that is
/// smaller: errors of this size vary from replay to replay by these roundings anyway.
/// Source of the interval: Hahn and Meeker, Statistical Intervals (1991), section 4.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/row.hpp"
#include "experiments/hypotheses/hypotheses.hpp"
#include "experiments/support/published_value.hpp"
#include "experiments/sweeps/run.hpp"

namespace fftprec::hypotheses {

struct Predictive {
  double centre = 0;   ///< of ln(error)
  double spread = 0;   ///< scale of Student's distribution; 0: nothing is predicted
  double freedom = 1;  ///< degrees of freedom
  bool is_gain = false;

  int digits() const { return is_gain ? 5 : 2; }  ///< that would be published
  bool defined() const { return spread > 0; }
};

/// The prediction from the errors of at least two replays. `further_spread`, the user's guess of
/// further variation, is added in quadrature. Zeros count as exact_error. With an error that is not
/// finite the prediction is undefined.
Predictive predictive(std::span<const double> errors, double further_spread = 0);

/// Probability that an error lies in the interval of the published digits.
double interval_probability(const Predictive& predicted, const PublishedValue& value);

/// Probability of a published value at least as far out as this one, on either side: twice the
/// smaller of P(error <= high) and P(error >= low), at most 1.
double tail_probability(const Predictive& predicted, const PublishedValue& value);

/// The error at the centre; 0 for an exact result.
double predicted_error(const Predictive& predicted);

/// The distance from the centre within which ln(error) lies with this probability,
/// 0 < probability < 1.
double half_width(const Predictive& predicted, double probability);

/// |ln| of the factor between the centre and the nearest end of the interval; 0 inside it.
double miss(const Predictive& predicted, const PublishedValue& value);

/// Probability of each published text; a key orders texts as numbers. For two digits it is
/// 90 e + m - 10 for m 10^(e-1), m from 10 to 99; for more digits likewise.
using Outcomes = std::map<int, double>;

/// The key of an exact result.
inline constexpr int exact_outcome = -1000000000;

/// The outcomes of a defined prediction. The probability beyond 8 spreads goes to the nearest text,
/// so that the sum is 1.
Outcomes outcomes_of(const Predictive& predicted);

/// Half the sum of |a - b|: 0 for equal distributions, 1 if they have no text in common.
double distance(const Outcomes& a, const Outcomes& b);

/// Mutual information, in bits, of the published text and of which hypothesis is true: what the
/// experiment is expected to reveal, at most log2(number of hypotheses). `weights` are the
/// probabilities of the hypotheses, with the sum 1.
double information_bits(std::span<const Outcomes> predictions, std::span<const double> weights);

/// How a measurement is replayed.
struct ReplayPlan {
  unsigned count = 16;      ///< replays of each row, at least 2
  unsigned first_draw = 0;  ///< draws of jitter first_draw .. first_draw + count - 1; 0: none
};

/// The cases that replay `where`. For a known seed: draws of a jitter by one unit in the last
/// place, of the input and of tables whose cosines are computed in fp32 (tables.hpp). Otherwise:
/// seeds 1, 2, ... Inputs from files, and inputs without random numbers, are not jittered.
std::vector<Case> replays_of(const Case& where, bool seed_known, const ReplayPlan& plan);

/// One case with draw k of both jitters.
Case jittered_case(Case where, std::uint64_t k);

/// Runs cases and keeps their rows, so that each case runs once.
class Replayer {
 public:
  /// `options` are those of run_cases. Each row is also passed to `sink`, if there is one.
  explicit Replayer(RunOptions options, RowSink sink = {})
      : options_(std::move(options)), sink_(std::move(sink)) {}

  /// Runs the cases that were not run yet, all at once.
  void run(std::span<const Case> cases);

  /// Requires: run before.
  const Row& row(const Case& where) const { return rows_.at(where); }

  std::size_t count() const { return rows_.size(); }

 private:
  std::shared_ptr<Session> session_ = std::make_shared<Session>();
  RunOptions options_;
  RowSink sink_;
  std::map<Case, Row> rows_;
};

/// The prediction of replays for one measured row.
struct Replayed {
  Predictive predicted{};
  std::string failure{};  ///< why nothing is predicted, or empty
};

/// The prediction for `row` if it ran as `ran`. Requires: replays_of(ran, row.seed_known, plan)
/// were run.
Replayed replayed(const Case& ran, const MeasuredRow& row, const ReplayPlan& plan,
                  double further_spread, const Replayer& replayer);

/// The columns that a replay needs for the metrics of these rows.
RowExtent extent_for(std::span<const MeasuredRow> rows);

}  // namespace fftprec::hypotheses

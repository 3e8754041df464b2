/// What a hypothesis predicts for one error, from replays: a distribution of its logarithm.
///
/// Errors vary by factors, so it is their logarithm that is spread. K replays y_1..y_K of ln(error)
/// with mean m and standard deviation s predict the next one as m + s sqrt(1 + 1/K) t, t being
/// Student's with K - 1 degrees of freedom: the prediction interval of a normal sample, which knows
/// that s itself is an estimate.
///
/// Replays of a coarse arithmetic can all be equal. What no replay varies is the order in which the
/// engine sums; it moves an error e by some 2^-25, half a unit roundoff of fp32 relative to the
/// largest output, so s is 2^-25 / e at the least (measured: docs/explain.md), but no more than 0.1
/// for that reason: where errors are as small as that, replays redraw these roundings themselves.
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

  int digits() const { return is_gain ? 5 : 2; }  ///< that would be published of it
  bool defined() const { return spread > 0; }
};

/// From the errors of at least two replays. `further_spread` is added in quadrature: a user's guess
/// of what neither replays nor summation order vary. Zeros count as exact_error. An error that is
/// not finite predicts nothing.
Predictive predictive(std::span<const double> errors, double further_spread = 0);

/// Probability that an error lies in the interval that the digits leave open.
double interval_probability(const Predictive& predicted, const PublishedValue& value);

/// Probability of a published value as far out as this one, or farther, on either side: twice the
/// smaller of P(error <= high) and P(error >= low), at most 1.
double tail_probability(const Predictive& predicted, const PublishedValue& value);

/// The error that the centre stands for, 0 for an exact result.
double predicted_error(const Predictive& predicted);

/// ln(error) lies within this of the centre with that probability, 0 < probability < 1.
double half_width(const Predictive& predicted, double probability);

/// |ln| of the factor between the centre and the nearest end of the interval; 0 within.
double miss(const Predictive& predicted, const PublishedValue& value);

/// Probability of each published text; a key orders texts as numbers. For two digits it is
/// 90 e + m - 10 for m 10^(e-1), m from 10 to 99; for more digits likewise.
using Outcomes = std::map<int, double>;

/// The key of an exact result.
inline constexpr int exact_outcome = -1000000000;

/// Of a defined prediction; what is left beyond 8 spreads goes to the nearest text, so that the sum
/// is 1.
Outcomes outcomes_of(const Predictive& predicted);

/// Half the sum of |a - b|: 0 the same, 1 never the same text.
double distance(const Outcomes& a, const Outcomes& b);

/// Mutual information of the text and of whose prediction is true, in bits: how much of
/// log2(number of hypotheses) the experiment is expected to settle. `weights` are the hypotheses'
/// probabilities, summing to 1.
double information_bits(std::span<const Outcomes> predictions, std::span<const double> weights);

/// How often, and over what, a measurement is replayed.
struct ReplayPlan {
  unsigned count = 16;      ///< replays of each row, at least 2
  unsigned first_draw = 0;  ///< draws of jitter first_draw .. first_draw + count - 1; 0: none
};

/// The cases that replay `where`: of a known seed, draws of a jitter of the input by one unit in
/// the last place, and of tables whose cosines are taken in fp32 likewise (tables.hpp); otherwise
/// seeds 1, 2, ... Inputs that are files, and those without random numbers, are not jittered.
std::vector<Case> replays_of(const Case& where, bool seed_known, const ReplayPlan& plan);

/// One case with draw k of both jitters.
Case jittered_case(Case where, std::uint64_t k);

/// Runs cases and remembers their rows: the same case is run once.
class Replayer {
 public:
  /// `options` as run_cases takes them; each row is handed on to `sink` unless that is empty.
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

/// What replays say of one measured row.
struct Replayed {
  Predictive predicted{};
  std::string failure{};  ///< why nothing is predicted, or empty
};

/// The prediction of `row`, run as `ran`. Requires: replays_of(ran, row.seed_known, plan) were run.
Replayed replayed(const Case& ran, const MeasuredRow& row, const ReplayPlan& plan,
                  double further_spread, const Replayer& replayer);

/// What a replay must hold for the metrics of these rows.
RowExtent extent_for(std::span<const MeasuredRow> rows);

}  // namespace fftprec::hypotheses

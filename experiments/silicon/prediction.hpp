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

#include <span>

#include "experiments/silicon/published_value.hpp"

namespace fftprec::silicon {

struct Predictive {
  double centre = 0;   ///< of ln(error)
  double spread = 0;   ///< scale of Student's distribution; 0: nothing is predicted
  double freedom = 1;  ///< degrees of freedom

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

}  // namespace fftprec::silicon

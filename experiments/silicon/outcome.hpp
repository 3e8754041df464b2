/// What an experiment would publish, as a distribution over texts of two digits, and how much such
/// a text tells about who made it.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "experiments/silicon/prediction.hpp"

namespace fftprec::silicon {

/// Probability of each published text; a key orders texts as numbers: 90 e + m - 10 for m 10^(e-1),
/// m from 10 to 99.
using Outcomes = std::map<int, double>;

/// The key of an exact result.
inline constexpr int exact_outcome = -100000;

/// Of a defined prediction; what is left beyond 8 spreads goes to the nearest text, so that the sum
/// is 1.
Outcomes outcomes_of(const Predictive& predicted);

/// Half the sum of |a - b|: 0 the same, 1 never the same text.
double distance(const Outcomes& a, const Outcomes& b);

/// Mutual information of the text and of whose prediction is true, in bits: how much of
/// log2(number of hypotheses) the experiment is expected to settle. `weights` are the hypotheses'
/// probabilities, summing to 1.
double information_bits(std::span<const Outcomes> predictions, std::span<const double> weights);

}  // namespace fftprec::silicon

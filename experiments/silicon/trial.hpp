/// Made-up silicon: errors that a known variant would publish, to see whether explain finds it.
#pragma once

#include <cstdint>

#include "experiments/silicon/explain.hpp"

namespace fftprec::silicon {

/// What a trial publishes.
struct TrialPlan {
  std::uint64_t number = 0;  ///< of the trial: decides seeds and last places
  int digits = 2;
};

/// `cases` as `truth` would publish them. Each seed is drawn anew (rows without a seed keep theirs
/// to themselves), and input and tables are off in the last place by a draw of the jitter that no
/// replay uses, as those of another function library are. Throws InputError where `truth` cannot
/// run a case.
Measured made_up(const Measured& cases, const Variant& truth, const TrialPlan& plan,
                 Replayer& replayer);

/// A variant of the set, chosen by the number of the trial.
Variant chosen_variant(const HypothesisSet& set, std::uint64_t number);

/// The variant as explain judged it, alone or with those alike. Throws InputError if it is not
/// among them.
const Judged& judged_as(const Explanation& explanation, const Variant& variant);

}  // namespace fftprec::silicon

/// The likely cause of errors in three lines.
#pragma once

#include <string>
#include <vector>

#include "experiments/hypotheses/explain.hpp"

namespace fftprec::hypotheses {

/// What fits, with its probability if one of the variants tried is true; what the arithmetic as
/// named would give in the row that it misses most; and the command that shows the cause. If the
/// arithmetic as named fits as well as any other, that counts, since nothing speaks against it.
/// Requires: a set with builtin_run_hypotheses.
std::vector<std::string> likely_cause(const Explanation& explanation);

/// "as named", "fp32-angle tables", "machine ieee with fp32-angle tables", "mode bf16".
std::string phrase_of(const Variant& variant);

/// The first line of likely_cause without its beginning: "as named, P = 0.98".
std::string what_fits(const Explanation& explanation);

}  // namespace fftprec::hypotheses

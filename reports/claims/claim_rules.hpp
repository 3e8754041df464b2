/// From the outcomes of checks to one verdict, whatever they are.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "reports/claims/claim.hpp"

namespace fftprec {

/// Whether each check passed, by its name.
using Outcomes = std::map<std::string, bool>;

/// Whether every check that the rule names came out as it says.
bool holds(const VerdictRule& rule, const Outcomes& outcomes);

/// The one rule that holds, or `otherwise`. Requires: an outcome for every check.
const VerdictRule& rule_for(const Claim& claim, const Outcomes& outcomes);

/// Throws InputError unless every combination of outcomes has exactly one verdict, and one that
/// does not flatter: where a rule names no check, a check that there is not, or one both ways, or
/// is decided by another; where two rules could hold at once; where reproduced or explained asks
/// for no check to pass, or `otherwise` says one of them; and where no rule and no text names a
/// check.
void check_rules(const Claim& claim);

/// `text` with each [[NAME]] replaced by `found(NAME)`. Throws InputError for "[[" without "]]".
std::string filled(std::string_view text,
                   const std::function<std::string(std::string_view)>& found);

}  // namespace fftprec

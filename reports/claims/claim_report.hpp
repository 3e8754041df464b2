/// ClaimVerdict claims as text: for a terminal, as Markdown pages, as CSV. Pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "experiments/claims/claim_verdict.hpp"
#include "reports/figures/figure.hpp"

namespace fftprec::claims {

/// Two lines per claim: verdict, title and margin; then what decides it, or the first problem.
std::string claims_table(std::span<const ClaimVerdict> claims);

/// The page of one claim. `figure` is the link to its image, or empty.
std::string claim_page(const ClaimVerdict& judged, const std::string& figure);

/// The table of all claims, linked to their pages ID.md, `folder` before them.
std::string claims_index(std::span<const ClaimVerdict> claims, const std::string& folder = {});

/// One line per claim: id, title, verdict, what decided it, margins, draws alike.
std::string claims_csv(std::span<const ClaimVerdict> claims);

/// The rows of all claims as results.csv has them, without times, after the columns `claim` and
/// `checks`, the names of those that look at the row joined by spaces.
std::string evidence_csv(std::span<const ClaimVerdict> claims, const Evidence& evidence);

/// As the claim's [figure] says; jitters are left out, published figures of the same metric are a
/// series "was published". Empty where there is no row to show.
std::optional<figures::Figure> claim_drawing(const Claim& claim, const Evidence& evidence);

}  // namespace fftprec::claims

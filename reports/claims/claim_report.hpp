/// Verdicts on claims as text: for a terminal, as Markdown pages, as CSV. Pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "experiments/claims/claim_verdict.hpp"
#include "reports/figures/figure.hpp"

namespace fftprec::claims {

/// Two lines per claim: verdict, title and margin; then the deciding check, or the first problem.
std::string claims_table(std::span<const ClaimVerdict> claims);

/// The page of one claim. `figure` is the link to its image, or empty.
std::string claim_page(const ClaimVerdict& judged, const std::string& figure);

/// The table of all claims, with links to their pages `folder`ID.md.
std::string claims_index(std::span<const ClaimVerdict> claims, const std::string& folder = {});

/// One line per claim: id, title, verdict, deciding check, margins, draws with this verdict.
std::string claims_csv(std::span<const ClaimVerdict> claims);

/// The rows of all claims as in results.csv, without times. The first two columns are `claim` and
/// `checks`, the names of the checks that use the row, joined by spaces.
std::string evidence_csv(std::span<const ClaimVerdict> claims, const Evidence& evidence);

/// The [figure] of the claim, without jitters. Published values of its metric are a series "was
/// published". Empty if there is no row to show.
std::optional<figures::Figure> claim_drawing(const Claim& claim, const Evidence& evidence);

}  // namespace fftprec::claims

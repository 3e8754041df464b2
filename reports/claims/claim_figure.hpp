/// The figure of a claim's page: its rows, and the published figures among them.
#pragma once

#include <optional>

#include "experiments/claims/settle.hpp"
#include "reports/figures/figure.hpp"

namespace fftprec::claims {

/// As the claim's [figure] says; jitters are left out, published figures of the same metric are a
/// series "was published". Empty where there is no row to show.
std::optional<figures::Figure> claim_drawing(const Claim& claim, const Evidence& evidence);

}  // namespace fftprec::claims

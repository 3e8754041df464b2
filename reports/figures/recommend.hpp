/// The figure of a recommendation: error against counted work.
#pragma once

#include "experiments/devices/recommend.hpp"
#include "reports/figures/figure.hpp"

namespace fftprec::figures {

/// error_vs_work: logarithmic axes; every choice a point; those that err less than all with less
/// work are numbered, joined by steps and named beside the plot; the budget a line. Errors of 0
/// stand on a line "exact". Requires: at least one choice.
Figure recommend_figure(const devices::Recommendation& result,
                        const devices::RecommendRequest& request);

}  // namespace fftprec::figures

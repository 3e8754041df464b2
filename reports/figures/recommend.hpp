/// The figure of a recommendation: error against counted work.
#pragma once

#include "experiments/devices/recommend.hpp"
#include "reports/figures/figure.hpp"

namespace fftprec::figures {

/// error_vs_work: every choice is a point on logarithmic axes. Choices with a smaller error than
/// all choices with less work are numbered, joined by steps and named beside the plot. The budget
/// is a line. Errors of 0 lie on a line "exact". Requires: at least one choice.
Figure recommend_figure(const devices::Recommendation& result,
                        const devices::RecommendRequest& request);

}  // namespace fftprec::figures

/// Figures of a recommendation: error against modelled time, and that model against measured
/// latencies. Pure functions.
#pragma once

#include "experiments/devices/latencies.hpp"
#include "experiments/devices/recommend.hpp"
#include "reports/plots/plot_process.hpp"

namespace fftprec {

/// error_vs_time: logarithmic axes; every choice a point, those on the front numbered, joined by
/// steps and named beside the plot; the budget a line. Errors of 0 stand on a line "exact".
/// Requires: at least one choice.
Drawing recommend_drawing(const Recommendation& result, const RecommendRequest& request);

/// predicted_vs_measured: latencies of the calibrations, each as a fit to all others predicts it;
/// dotted lines a factor of 1.25 away.
/// Requires: at least one latency.
Drawing latency_drawing(std::span<const Calibration> calibrations);

}  // namespace fftprec

/// The error after each stage of a case, drawn. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "experiments/errors/stage_errors.hpp"
#include "reports/plots/plot_panel.hpp"
#include "reports/plots/plot_process.hpp"

namespace fftprec {

/// Stages downwards, for each the error after it, what it adds, and the error expected after it,
/// on a logarithmic axis. What is not above the floor stands on a line "exact".
/// Titled curves: "0 after", "3 added", "2 expected". Requires: a stage.
Drawing stages_panel(const std::string& name, const errors::StageErrors& errors, int width);

/// The same as a figure of its own: NAME.svg, or NAME.png.
Drawing stages_figure(const std::string& name, const std::string& subtitle,
                      const errors::StageErrors& errors);

/// The parts of the drawing, each with the style of its curve.
struct StagesCurve {
  std::string_view part;
  std::size_t style;
};
std::span<const StagesCurve> stages_curves();

/// What the curve of that part shows.
std::string stages_curve(std::string_view part);

}  // namespace fftprec

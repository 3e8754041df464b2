/// Error against cost as a figure of its own: a panel per length, its front listed below it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/plots/plot_cost.hpp"
#include "reports/plots/plot_grid.hpp"

namespace fftprec {

/// Every mode of the figures once, without points.
std::vector<Series> modes_of(std::span<const CostFigure> figures);

/// Title, legend and panels ("n = 64"); all figures on the same axes. Requires: not empty.
GridTexts cost_texts(const std::string& name, const std::string& title,
                     std::span<const CostFigure> figures);

/// "1 radix2-dit, bf16: 1.23e-03", the points of the front in their order; of many the first, and
/// how many more there are.
std::vector<std::string> front_lines(const CostFigure& figure);

/// As cost_drawing draws one, with the same axes for all. Requires: not empty, each with a cost.
Drawing costs_drawing(const std::string& name, const std::string& title,
                      std::span<const CostFigure> figures);

}  // namespace fftprec

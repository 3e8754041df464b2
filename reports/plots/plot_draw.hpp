/// Any kind of figure as drawings: the one place that knows them all.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/plots/plot_figure.hpp"
#include "reports/plots/plot_process.hpp"

namespace fftprec {

/// What is drawn of `rows`: nothing if there is no row to show. Of a cost figure without an x, one
/// drawing for each of default_costs(). Throws InputError as gather and its like do.
std::vector<Drawing> draw(std::span<const Row> rows, const FigureRequest& request,
                          const NameOrders& orders);

/// All of them, in their order.
std::vector<Drawing> draw_all(std::span<const Row> rows, std::span<const FigureRequest> requests,
                              const NameOrders& orders);

}  // namespace fftprec

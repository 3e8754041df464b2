/// The section of the summary on how errors grow with the transform length.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "reports/results/held_axes.hpp"
#include "reports/summary/scaling.hpp"

namespace fftprec {

/// One line per scaling, in the order of `orders`, with a column for each axis that differs. Of
/// more than `most`, only those are shown that have on every axis beside algorithm and mode the
/// default of a case, or the first value that there is. Empty without a scaling.
std::string scaling_section(std::span<const Row> rows, const NameOrders& orders,
                            std::size_t most = 200);

}  // namespace fftprec

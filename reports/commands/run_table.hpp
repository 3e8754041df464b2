/// The table that `fftprec run` ends with.
#pragma once

#include <span>
#include <string>

#include "reports/results/held_axes.hpp"

namespace fftprec {

/// The error table of the rows as aligned text, at most five sizes across and, where axes can be
/// held, 24 lines long; then how many rows are ok, skipped and failed, with the first of those that
/// were not measured and why.
std::string run_table(std::span<const Row> rows, const NameOrders& orders = {});

}  // namespace fftprec

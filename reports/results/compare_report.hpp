/// A comparison of two runs as text.
#pragma once

#include <cstddef>
#include <string>

#include "reports/results/compare.hpp"

namespace fftprec {

/// Counts, what moved by algorithm and mode, and the moved cases, worst first: at most `limit` of
/// them and of the cases that are in one run only.
std::string comparison_text(const RunComparison& comparison, const Column& metric,
                            std::size_t limit);

/// Every moved, new and missing case: case_id, the axes, what (moved, new or missing), metric,
/// before, after, ratio, and the columns that differ, separated by spaces.
std::string comparison_csv(const RunComparison& comparison, const Column& metric);

}  // namespace fftprec

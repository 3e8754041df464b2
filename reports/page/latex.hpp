/// The table of errors of a run for a paper: LaTeX with booktabs and graphicx.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "experiments/cases/row.hpp"
#include "reports/results/held_axes.hpp"

namespace fftprec::page {

/// `text` with the characters that LaTeX gives a meaning escaped.
std::string latex_text(std::string_view text);

/// "1.23e$-7$", narrow enough for six of them on a page, "exact" for 0, "$\infty$", "NaN".
std::string latex_number(double value);

/// A table: algorithm and mode down, at most `sizes` lengths across, median err_l2_rel in the
/// cells. What the medians are over stands in the caption. Without a measured row a comment that
/// says so. Shrunk where it would be wider than the text.
std::string latex_table(std::span<const Row> rows, const NameOrders& orders, std::size_t sizes = 6);

}  // namespace fftprec::page

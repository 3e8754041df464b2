/// The table of errors at the end of a run and in its summary, one line per algorithm and mode,
/// transform lengths across; and the rows that were not measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/row.hpp"
#include "reports/results/fixed_axes.hpp"
#include "reports/results/manifest.hpp"
#include "reports/text/table.hpp"

namespace fftprec::text {

struct ErrorLine {
  std::vector<std::string> names;              ///< as many as there are titles
  std::vector<std::optional<double>> medians;  ///< of err_l2_rel, one per size; empty: no row
  std::optional<double> worst;  ///< largest err_l2_rel / bound_l2_rel; empty: no bound
  std::size_t rows = 0;         ///< measured, over all inputs and seeds
};

struct ErrorTable {
  std::string caption;               ///< "Median err_l2_rel over 2 seeds; transform fft, ..."
  std::vector<std::string> titles;   ///< algorithm, mode, and the other axes that differ
  std::vector<std::uint64_t> sizes;  ///< ascending
  std::vector<ErrorLine> lines;
  std::string left_out;  ///< "machine ieee, trn-rz; tables fp32-angle; n 8, 32"; empty: nothing
};

struct ErrorTableLimits {
  std::size_t sizes;                                            ///< most columns
  std::size_t lines = std::numeric_limits<std::size_t>::max();  ///< most lines, see below
};

/// A pure function of the measured rows. Medians are over all seeds of one input, if possible one
/// that every line has. If the lines share no input, or there are more than `limits.lines`, every
/// axis except algorithm and mode is fixed at one value, and `left_out` names the other values. Of
/// many sizes, it shows evenly spread ones, including the largest, but none with few rows. A median
/// over a NaN is NaN, NaN over a bound is infinity, 0/0 is 0. Lines without a row in any shown
/// column are omitted. Without a measured row there are no lines.
ErrorTable error_table(std::span<const Row> rows, const NameOrders& orders,
                       const ErrorTableLimits& limits);

/// The table for printers; `rows`: with a column that counts rows.
Table lines_of(const ErrorTable& table, bool rows = true);

/// For a paper: a LaTeX table with booktabs and graphicx, at most `sizes` lengths across, which
/// shrinks if it is wider than the text. Without a measured row it is a comment.
std::string latex_table(std::span<const Row> rows, const NameOrders& orders, std::size_t sizes = 6);

/// "8 rows: 5 ok, 2 skipped, 1 failed".
std::string status_counts(const results::RowCounts& counts);
std::string status_counts(std::span<const Row> rows);

/// Rows that are skipped or failed for one reason.
struct NotMeasured {
  const Row* first;  ///< of the rows with this status and message
  std::size_t count;
};

/// Failures first, then by message.
std::vector<NotMeasured> not_measured(std::span<const Row> rows);

}  // namespace fftprec::text

/// What a run ends with and its summary shows: the table of errors, one line per algorithm and
/// mode, transform lengths across; and the rows that were not measured.
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

/// A pure function of the measured rows. The medians are over all seeds of one input, one that
/// every line has if there is one. Where the lines share no input, or are more than `limits.lines`,
/// every axis beside algorithm and mode is held at one value. `left_out` names the others. Of many
/// sizes, evenly spread ones are shown, the largest among them, and none that few rows have. A
/// median over a NaN is NaN, and NaN over a bound is infinity; 0/0 is 0. What has no row in
/// any column shown is no line. Without a measured row there are no lines.
ErrorTable error_table(std::span<const Row> rows, const NameOrders& orders,
                       const ErrorTableLimits& limits);

/// As its printers take it; `rows`: with the column that counts them.
Table lines_of(const ErrorTable& table, bool rows = true);

/// For a paper: at most `sizes` lengths across, in a table of LaTeX with booktabs and graphicx that
/// shrinks where it would be wider than the text. Without a measured row a comment that says so.
std::string latex_table(std::span<const Row> rows, const NameOrders& orders, std::size_t sizes = 6);

/// "8 rows: 5 ok, 2 skipped, 1 failed".
std::string status_counts(std::span<const Row> rows);

/// Rows that are skipped or failed for one reason.
struct NotMeasured {
  const Row* first;  ///< of the rows with this status and message
  std::size_t count;
};

/// Failures first, then by message.
std::vector<NotMeasured> not_measured(std::span<const Row> rows);

}  // namespace fftprec::text

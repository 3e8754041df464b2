/// The sections of a report. Each is a pure function that returns HTML with a heading, or an empty
/// text if there is nothing to show.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/row.hpp"
#include "reports/page/data.hpp"

namespace fftprec::page {

/// Rows as JSON. Numbers have four significant digits; results.csv has all digits.
struct RowsJson {
  /// {"rows": R, "columns": [{"name", "meaning", "number", for an axis "axis": true and, if
  ///   commands omit its default, "usual" with this default, and one of
  ///   "values": [v, ...]                              R of them
  ///   "dictionary": [v, ...], "codes": [i, ...]       v = dictionary[i]
  ///   "dictionary": [v, ...], "runs": [i, count, ...]
  ///   "dictionary": [v, ...], "packed": "AAAB..."     base64 of 16 bits for each i, low byte first
  /// }, ...]}. A number that is not finite is "nan", "inf" or "-inf"; a missing one is null.
  std::string text;
  std::vector<std::string> left_out;  ///< columns for which there was no room
};

/// Axes and status first, then metrics, including err_over_bound, the most used first, as long as
/// `text` stays below `most_bytes`. Columns without any value are omitted.
RowsJson rows_json(std::span<const Row> rows, std::size_t most_bytes);

struct ReportAssets {
  std::string_view style;
  std::string_view rows_script;  ///< decoding, filtering and sorting of rows
  std::string_view page_script;  ///< switches and the table
};

const ReportAssets& report_assets();

/// A section with a heading and an anchor; the body is HTML.
std::string section(std::string_view id, std::string_view heading, std::string_view body);

/// A paragraph of small print, escaped.
std::string caption(std::string_view text);

/// A command that can be copied; lines break between its words only.
std::string command_line(std::string_view command);

/// The figures of the sweep.
std::string own_section(const std::vector<SweepPlot>& plots);

/// Error against n over the whole width, with a choice of algorithm or mode.
std::string curves_section(const ReportFigures& figures);

/// Small figures of error against n, by algorithm and by input, on common axes.
std::string multiples_section(const ReportFigures& figures);

/// Correct bits: modes down, n across, a map per algorithm.
std::string heat_map_section(const std::vector<figures::Figure>& maps);

/// Error against cost with the Pareto front, with a choice of length.
std::string cost_section(const ReportFigures& figures);

/// Histogram of error over bound.
std::string histogram_section(const figures::Histogram& histogram);

/// The error after each stage of one case, and its error budget.
std::string stages_section(const ReportStages& stages, const std::string& program = "fftprec");

}  // namespace fftprec::page

/// The rows of a run as compact JSON, column by column, for the table of a page.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/row.hpp"

namespace fftprec::page {

/// Columns of numbers have four significant digits; results.csv has them all.
struct RowsJson {
  /// {"rows": R, "columns": [{"name", "meaning", "number", and one of
  ///   "values": [v, ...]                              R of them
  ///   "dictionary": [v, ...], "codes": [i, ...]       v = dictionary[i]
  ///   "dictionary": [v, ...], "runs": [i, count, ...]
  ///   "dictionary": [v, ...], "packed": "AAAB..."     base64 of 16 bits for each i, low byte first
  /// }, ...]}; a number that is none is "nan", "inf" or "-inf", a missing one null.
  std::string text;
  std::vector<std::string> left_out;  ///< columns for which there was no room
};

/// Axes and status first, then metrics, the more asked-for first, err_over_bound among them, as
/// long as `text` stays below `most_bytes`; a column without any value is not there.
RowsJson rows_json(std::span<const Row> rows, std::size_t most_bytes);

}  // namespace fftprec::page

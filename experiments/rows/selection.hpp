/// Which rows a rule speaks of: filter texts that must all hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/rows/filter.hpp"
#include "experiments/rows/row.hpp"

namespace fftprec {

/// A filter with its text; the default selects every row.
struct Selection {
  std::vector<std::string> texts;  ///< as written, for messages
  Filter filter;
};

/// The rows for which all texts hold. Throws InputError for a text that does not parse.
Selection select_rows(const std::vector<std::string>& texts);

bool selects(const Selection& selection, const Row& row);

/// The texts joined by ", "; "all rows" if there is none.
std::string text_of(const Selection& selection);

/// The columns that the filter names, in the order of writing.
std::vector<std::string> columns_of(const Selection& selection);

/// The names of the axes: the columns of results.csv that make up a case.
const std::vector<std::string>& axis_names();

/// The axes of a row but for `left_out`, as one text: rows that differ only in `left_out` share it.
std::string group_key(const Row& row, const std::vector<std::string>& left_out);

}  // namespace fftprec

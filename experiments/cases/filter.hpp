/// Filters select rows by their columns: in -f, sweep files, gates and plots.
///
///     mode=bf16,ozaki        one of these           n=64..256      a closed range
///     mode!=fp64             none of these          n>=64          <, <=, >, >= on numbers
///     bound_l2_rel=          not measured           bound_l2_rel!= measured
/// Conditions joined by ` and ` must all hold. Commas within brackets do not split.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/row.hpp"

namespace fftprec {

enum class Comparison { equal, unequal, less, less_equal, greater, greater_equal };

/// One condition: a column compared with values.
struct Condition {
  /// A value as text, and as a closed range of numbers where the column holds numbers.
  struct Value {
    std::string text;
    std::optional<double> low;
    std::optional<double> high;
  };

  const Column* column;
  Comparison comparison;
  std::vector<Value> values;  ///< one, unless the comparison is equal or unequal
};

/// All conditions must hold. Without conditions every row matches.
struct Filter {
  std::vector<Condition> conditions;
};

/// Throws InputError for an unknown column, an unknown comparison or a value that the column cannot
/// hold. An empty text gives a filter that every row matches.
Filter parse_filter(std::string_view text);

/// The filter that holds where all of `texts` hold.
Filter parse_filters(const std::vector<std::string>& texts);

/// A number that was not measured satisfies only `COLUMN=` and `!=` with a value. NaN satisfies
/// only `COLUMN=nan`, `COLUMN!=` and `!=` with another value.
bool matches(const Filter& filter, const Row& row);

/// Whether the filter uses only axes, so that it can be decided before the case is run.
bool decided_by_case(const Filter& filter);

/// A name that a condition compares an axis with.
struct NamedValue {
  const Column* axis;
  std::string value;

  /// The default case with this value. Throws InputError for an empty value.
  Case in_case() const;
};

/// The names in a filter, in written order.
std::vector<NamedValue> names_in(const Filter& filter);

/// Whether the row has this name. Files match with any content.
bool has(const Row& row, const NamedValue& name);

/// Throws what `check_names` throws for a case with a name that a condition compares an axis with.
void check_filter_names(const Filter& filter, const CheckNames& check_names);

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

/// The columns in the filter, in written order.
std::vector<std::string> columns_of(const Selection& selection);

/// The axes of a row without `left_out`, as one text. Rows that differ only in `left_out` have
/// equal keys.
std::string group_key(const Row& row, const std::vector<std::string>& left_out);

}  // namespace fftprec

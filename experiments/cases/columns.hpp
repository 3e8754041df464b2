/// The one list of columns of results.csv: order, names, meanings, and how a row fills them.
///
/// CSV, filters, gates, plots and `fftprec list metrics` all read this list.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/row.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

/// The properties of an axis beside those of its column. Its default is in Case.
struct Axis {
  /// Its possible names, in the order of `fftprec list`; null for an axis of numbers.
  std::vector<Named> (*list)() = nullptr;
  std::uint64_t least = 0;  ///< of an axis of numbers
  /// The canonical spelling of a name. Throws InputError for an unknown name. Null: names stay as
  /// written.
  std::string (*canonical)(const std::string& name) = nullptr;
  /// Replaces the name of a file by the name of its content; other names stay. Null: names of files
  /// stay.
  std::string (*of_file)(const std::string& name) = nullptr;
  bool adds_hash = true;           ///< to the name of a file; if false, `canonical` adds it
  bool hidden_at_default = false;  ///< captions omit the axis if it is at its default
};

/// How a number relates to the quality of a result.
enum class QuantityKind {
  size,   ///< an error, at least 0, drawn by its logarithm; 0 is exact
  level,  ///< a logarithm of any sign that grows as the error falls; inf is exact
  gain,   ///< near 1; exactly 1 without bias
};

/// One column of results.csv.
struct Column {
  std::string_view name;
  std::string_view meaning;  ///< one line, with the unit
  bool metric;  ///< a measured or derived number; other columns name the case or its outcome

  /// Appends the cell as in results.csv, before quoting; nothing = not measured.
  void (*append)(std::string& text, const Row&);
  /// The cell as a number; empty for text columns and if nothing was measured.
  std::optional<double> (*number)(const Row&);
  /// Stores `text` in the row. Throws InputError for a text that the column cannot hold. The text
  /// of case_id is ignored, since it follows from the other columns.
  void (*parse)(Row&, std::string_view text);
  /// Missing in files of earlier versions; its cell is then empty.
  bool later = false;
  std::string_view label{};  ///< on the axis of a figure; empty: its name
  QuantityKind quantity_kind = QuantityKind::size;
  bool is_error = false;                      ///< a measured error
  bool repeats = true;                        ///< another run of the case gives the same value
  std::array<std::string_view, 2> aliases{};  ///< former names, which all readers know; or empty
  std::optional<Axis> axis{};                 ///< of a column that names the case

  /// The cell as in results.csv, before quoting; empty = not measured.
  std::string text(const Row& row) const {
    std::string cell;
    append(cell, row);
    return cell;
  }
};

/// Digits to which gains are compared.
inline constexpr int gain_digits = 12;

/// How a column or a computed quantity reads.
QuantityKind quantity_kind_of(std::string_view name);

/// Whether the cells of two rows differ. An empty cell of a later column differs from none.
bool differ(const Column& column, const Row& a, const Row& b);

/// All columns in the order of results.csv.
std::span<const Column> columns();

/// Confidence of the intervals in statistics over seeds.
inline constexpr double statistics_confidence = 0.95;

/// The columns that follow in a file of statistics over seeds, and are empty in other rows: the
/// seeds, then for each error its statistics, as in "err_l2_rel.p99". Quantiles are known to 1/64
/// of an octave (1.1 %): the value of "p99" is the upper end, so that a limit never holds by
/// mistake; the ends of its interval take the resolution in, too.
std::span<const Column> statistics_columns();

/// Those of an error. The last is the summary as text, from which all others follow.
std::span<const Column> statistics_of(const Column& error);

bool is_statistics_column(const Column& column);

/// Whether a cell of statistics follows from the summary of its error.
bool follows_from_summary(const Column& column);

/// Whether `name` is the column's name or an alias of it.
bool is_called(const Column& column, std::string_view name);

/// The name of the column with that name or alias. Other names come back unchanged.
std::string shown_name(std::string_view name);

/// By its name or an alias, of columns() or statistics_columns(). Throws InputError for an unknown
/// name; lists the known ones.
const Column& column_named(std::string_view name);

/// The metric of this name or alias. Throws InputError for any other name, listing the metrics.
const Column& metric_named(std::string_view name);

/// Whether the column is an axis of integers or a metric.
bool holds_numbers(const Column& column);

/// The cell for people: numbers as exact_number writes them, not as in results.csv.
std::string read_text(const Column& column, const Row& row);

/// err_l2_rel / bound_l2_rel. This and the next quantities can be drawn like metrics, but have no
/// column.
inline constexpr const char* err_over_bound = "err_over_bound";

/// err_l2_rel / expected_l2_rel.
inline constexpr const char* err_over_expected = "err_over_expected";

/// The published latency of the case on a trn1, in microseconds.
inline constexpr const char* published_us = "published_us";
/// The factor by which the axis `scale` multiplies the input.
inline constexpr const char* input_scale = "input_scale";

/// Whether `name` is one of these quantities.
bool is_computed(std::string_view name);

}  // namespace fftprec

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

/// What an axis has beside its column. Its default is the one of Case.
struct Axis {
  /// The names that it can have, in the order of `fftprec list`; null for an axis of numbers.
  std::vector<Named> (*list)() = nullptr;
  std::uint64_t least = 0;  ///< of an axis of numbers
  /// The one spelling of a name. Throws InputError for an unknown name. Null: any spelling stays.
  std::string (*canonical)(const std::string& name) = nullptr;
  /// The name of what a file holds; other names stay. Null: a file has no name but its own.
  std::string (*of_file)(const std::string& name) = nullptr;
  bool adds_hash = true;   ///< to the name of a file; else `canonical` does
  bool is_silent = false;  ///< captions leave the axis out where it has its default
};

/// How a number tells how good a result is.
enum class Reading {
  size,   ///< from 0 on, seen by its logarithm; an error of 0 is exact
  level,  ///< a logarithm already, of any sign, that grows as the error falls: inf is exact
  gain,   ///< 1 without bias, and about it
};

/// One column of results.csv.
struct Column {
  std::string_view name;
  std::string_view meaning;  ///< one line, with the unit
  bool metric;  ///< a measured or derived number; the others say which case, or how it went

  /// The cell as results.csv holds it, before quoting; empty = not measured.
  std::string (*text)(const Row&);
  /// The cell as a number: empty for text columns and for what was not measured.
  std::optional<double> (*number)(const Row&);
  /// Puts `text` into the row. Throws InputError if it is not what the column holds. The case_id
  /// follows from the other columns, so its text is not kept.
  void (*parse)(Row&, std::string_view text);
  /// Files of earlier versions lack it: its cell is empty then.
  bool later = false;
  std::string_view label{};  ///< on the axis of a figure; empty: its name
  Reading reading = Reading::size;
  bool is_error = false;                      ///< a measured error
  bool repeats = true;                        ///< another run of the case gives the same value
  std::array<std::string_view, 2> aliases{};  ///< former names, which all readers know; or empty
  std::optional<Axis> axis{};                 ///< of a column that names the case
};

/// With which one gain is told from another.
inline constexpr int gain_digits = 12;

/// How a column or a computed quantity reads.
Reading reading_of(std::string_view name);

/// Whether the cells of two rows differ. An empty cell of a later column does not.
bool differ(const Column& column, const Row& a, const Row& b);

/// All columns in the order of results.csv.
std::span<const Column> columns();

/// Whether `name` is the column's name or an alias of it.
bool is_called(const Column& column, std::string_view name);

/// By its name or an alias. Throws InputError for an unknown name; lists the known ones.
const Column& column_named(std::string_view name);

/// The column of a metric, by its name or an alias. Throws InputError for any other name; lists the
/// metrics.
const Column& metric_named(std::string_view name);

/// An axis of integers, or a metric.
bool holds_numbers(const Column& column);

/// The cell as people read it: a number as exact_number, not as results.csv holds it.
std::string read_text(const Column& column, const Row& row);

/// err_l2_rel / bound_l2_rel: can be drawn like a metric, though no column holds it.
inline constexpr const char* err_over_bound = "err_over_bound";

/// No column either: err_l2_rel / expected_l2_rel.
inline constexpr const char* err_over_expected = "err_over_expected";

/// No column either: microseconds published of the case on a trn1.
inline constexpr const char* published_us = "published_us";
/// What the axis `scale` multiplies the input by.
inline constexpr const char* input_scale = "input_scale";

/// Whether it is one of those that can be drawn though no column holds it.
bool is_computed(std::string_view name);

}  // namespace fftprec

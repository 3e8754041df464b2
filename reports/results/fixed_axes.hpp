/// Which rows a figure or a table sets side by side, and in which order it names them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/cases/row.hpp"

namespace fftprec {

/// The names of an axis in the order of the legend, by the name of the axis. A name that is not
/// listed comes after those that are, in alphabetical order.
using NameOrders = std::map<std::string, std::vector<std::string>>;

/// Whether an axis that is held at that value is not worth a word.
bool is_default(const std::string& axis, const std::string& value);

/// The value at which an axis is held: of its names in `rows` that are among `some`, if any are
/// given, the default of a case if there is one, else the commonest. Requires: `rows` not empty.
std::string fixed_value(const std::vector<const Row*>& rows, const std::string& axis,
                        const std::set<std::string>& some = {});

/// The orders of the registry, in which `fftprec list` shows the names.
NameOrders registry_orders();

/// Those of one axis; none if it is not listed.
std::vector<std::string> listed_names(const NameOrders& orders, const std::string& axis);

/// What names a line of a table of errors: algorithm and mode, then the other axes but `left_out`.
std::vector<std::string> naming_axes(const std::set<std::string>& left_out);

/// How many of naming_axes() name a line always; the others where they differ.
inline constexpr std::size_t always_named = 2;

/// The cell of a row; empty for "", which means no axis.
std::string axis_text(const Row& row, const std::string& axis);

/// The values of `axis` in `rows`: numbers before names, numbers by size, names as ordered.
std::vector<std::string> ordered_names(const std::vector<const Row*>& rows, const std::string& axis,
                                       const NameOrders& orders);

/// What became of the axes that a figure does not spread out.
struct FixedAxes {
  std::map<std::string, std::set<std::string>> values;  ///< by axis; one that is not here is free
  std::string held;                                     ///< "transform fft, machine trn, ..."
  std::string pooled;                                   ///< "3 seeds"; empty if there is one

  /// "transform=fft\nseed=1\nseed=2": every axis that is kept, a line per value.
  std::string where() const;
};

/// Seeds are pooled over those that every value of `series` has, if there are such, so that series
/// are compared on the same problems; every other axis is held at one value: the default of a case
/// if there is one, else the commonest; of inputs one that every value of `series` has, if there is
/// such. Requires: `rows` not empty.
FixedAxes fix_axes(std::vector<const Row*> rows, const std::set<std::string>& spread,
                   const std::string& series);

/// Whether every held axis of a row has a value that is kept; looks the axes up once.
std::function<bool(const Row*)> row_filter(const FixedAxes& axes);

}  // namespace fftprec

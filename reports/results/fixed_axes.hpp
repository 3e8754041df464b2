/// Which rows a figure or a table compares, and the order of their names.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/cases/row.hpp"

namespace fftprec {

/// By axis, the names in the order of the legend. Names that are not listed come last, in
/// alphabetical order.
using NameOrders = std::map<std::string, std::vector<std::string>>;

/// Whether captions omit an axis that is fixed at this value.
bool is_default(const std::string& axis, const std::string& value);

/// The value at which an axis is fixed: of its names in `rows` (only those in `some`, unless it is
/// empty) the default of a case if it is there, else the most common. Requires: `rows` not empty.
std::string fixed_value(const std::vector<const Row*>& rows, const std::string& axis,
                        const std::set<std::string>& some = {});

/// The orders of the registry, in which `fftprec list` shows the names.
NameOrders registry_orders();

/// The order of one axis; empty if it is not listed.
std::vector<std::string> listed_names(const NameOrders& orders, const std::string& axis);

/// The axes that name a line of an error table: algorithm and mode, then the others without
/// `left_out`.
std::vector<std::string> naming_axes(const std::set<std::string>& left_out);

/// The first naming_axes() are always shown; the others only if they differ.
inline constexpr std::size_t always_named = 2;

/// The cell of a row; empty if `axis` is empty.
std::string axis_text(const Row& row, const std::string& axis);

/// The values of `axis` in `rows`, in alphabetical order.
std::set<std::string> names_of(const std::vector<const Row*>& rows, const std::string& axis);

/// The values of `axis` in `rows`: numbers before names, numbers by size, names as ordered.
std::vector<std::string> ordered_names(const std::vector<const Row*>& rows, const std::string& axis,
                                       const NameOrders& orders);

/// The axes that a figure does not spread out.
struct FixedAxes {
  std::map<std::string, std::set<std::string>> values;  ///< by axis; other axes are free
  std::string held;                                     ///< "transform fft, machine trn, ..."
  std::string pooled;                                   ///< "3 seeds"; empty if there is one

  /// "transform=fft\nseed=1\nseed=2": all of `values`, a line per value.
  std::string where() const;
};

/// Fixes the axes that are not in `spread`. Seeds are pooled: those that all values of `series`
/// have, if there are any, so that series are compared on equal problems; not of rows with
/// statistics over seeds, each of which has its own worst seed. An axis with another value at each
/// length stays free if lengths are spread. Every other axis is fixed at one value: the default of
/// a case if it is there, else the most common; for inputs a value that all values of `series`
/// have, if there is one. Requires: `rows` not empty.
FixedAxes fix_axes(std::vector<const Row*> rows, const std::set<std::string>& spread,
                   const std::string& series);

/// Whether a row has one of the fixed values on every axis. Looks the axes up once.
std::function<bool(const Row*)> row_filter(const FixedAxes& axes);

}  // namespace fftprec

/// What can be drawn of a row: the columns of numbers, and what is computed from several of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/rows/row.hpp"

namespace fftprec {

/// How a row is asked for a number; empty if it was not measured.
using Plotted = std::optional<double> (*)(const Row&);

/// A number that no column holds. To add one, add it to the list in plot_quantity.cpp: every kind
/// of figure can then draw it.
struct Quantity {
  std::string_view name;   ///< as --x and --y take it
  std::string_view label;  ///< on an axis, with its unit
  Plotted of;
};

std::span<const Quantity> computed_quantities();

/// The column of numbers or computed quantity of this name, looked up once for many rows. Throws
/// InputError for a name that is neither.
Plotted plotted(const std::string& name);

/// The number that `row` has for `name`.
std::optional<double> plotted_value(const Row& row, const std::string& name);

/// Throws InputError, listing the known names, if `name` can not be drawn.
void check_plotted(const std::string& name);

/// What an axis says of it: "relative error, 2-norm", "time, ns".
std::string quantity_label(const std::string& name);

}  // namespace fftprec

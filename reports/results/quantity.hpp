/// The quantities of a row that can be drawn: columns of numbers, and quantities computed from
/// several columns.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "experiments/cases/row.hpp"

namespace fftprec {

/// Reads a number from a row; empty if the row has none.
using Plotted = std::function<std::optional<double>(const Row&)>;

/// The column of numbers or computed quantity of this name, looked up once for many rows. Slow
/// computations are cached from row to row. Throws InputError for any other name.
Plotted plotted(const std::string& name);

/// The number that `row` has for `name`.
std::optional<double> plotted_value(const Row& row, const std::string& name);

/// Throws InputError, listing the known names, if `name` cannot be drawn.
void check_plotted(const std::string& name);

/// Label of an axis: "relative error, 2-norm", "time, ns".
std::string quantity_label(const std::string& name);

}  // namespace fftprec

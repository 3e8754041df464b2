/// A limit on the error of a user's result.
#pragma once

#include <string_view>

#include "experiments/cases/columns.hpp"

namespace fftprec {

/// A measure that must not be above `largest`.
struct MeasuredLimit {
  const Column* metric;
  double largest;
};

/// Throws InputError for an unknown column, a column that is not measured on a result or does not
/// grow with the error, and a limit that is negative or NaN.
MeasuredLimit measured_limit(std::string_view metric, double largest);

/// Parses "METRIC=NUMBER". Throws InputError as above, and for any other text.
MeasuredLimit parse_measured_limit(std::string_view text);

/// The metric of a row. Throws InputError if it was not measured.
double measured_value(const Row& row, const Column& metric);

/// Whether the row's metric is at most the limit; false for NaN.
bool holds(const MeasuredLimit& limit, const Row& row);

}  // namespace fftprec

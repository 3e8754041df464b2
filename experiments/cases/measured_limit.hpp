/// A limit on the error of a foreign result.
#pragma once

#include <string_view>

#include "experiments/cases/columns.hpp"

namespace fftprec {

/// A measure that must not be above `largest`.
struct MeasuredLimit {
  const Column* metric;
  double largest;
};

/// Throws InputError for an unknown column, one that is not measured of a result, one that does not
/// grow with the error, and a limit that is negative or NaN.
MeasuredLimit measured_limit(std::string_view metric, double largest);

/// From "METRIC=NUMBER". Throws InputError as above, and for any other text.
MeasuredLimit parse_measured_limit(std::string_view text);

/// What the row has measured. Throws InputError if it has not.
double measured_value(const Row& row, const Column& metric);

/// False for NaN.
bool holds(const MeasuredLimit& limit, const Row& row);

}  // namespace fftprec

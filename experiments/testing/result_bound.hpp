/// What theory says of a foreign result, if its program did what a case does.
#pragma once

#include <string>
#include <string_view>

#include "experiments/testing/measure_result.hpp"

namespace fftprec {

/// The case "AXIS=VALUE, AXIS=VALUE": algorithm, mode, machine and tables; those not given have the
/// defaults of a case. Throws InputError for an unknown axis or value, an axis given twice, and one
/// that the result itself decides.
Case claimed_case(std::string_view text);

/// Fills bound_l2_rel, bound_name and expected_l2_rel of a row of measure_result for the algorithm,
/// mode, machine and tables of `claimed`; they stand in row.where afterwards. A program whose input
/// is not on the grid of the mode's storage format is allowed to round it once.
/// Throws InputError if the case has no meaning for this transform and length, or no bound.
void predict_result(Row& row, const ForeignProblem& asked, const Case& claimed);

}  // namespace fftprec

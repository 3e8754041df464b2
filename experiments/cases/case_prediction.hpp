/// What can be said of a case before it runs, and of its row: bound, expected error and cost on the
/// machine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "experiments/cases/case.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec {

/// A prediction that expects an error only of the stages that `trace` does not take as exact.
ErrorModel traced_prediction(const Case& where, const Resolved& resolved, StageTrace& trace);

/// Adds to what is expected of a transform that its operands are rounded to the format that data
/// are kept in.
void round_input(ErrorModel& prediction, const ArithmeticSpec& arithmetic, std::size_t operands);

/// Whether errors are independent, as the RMS model assumes. Errors of inexact angles are the same
/// in every stage and in every transform of a refinement, so the model holds only where data meet
/// such a table once. Errors of one significant bit depend on their values, and of data with a mean
/// on the one output that it goes to.
bool model_holds(const SharedCase& where, const Resolved& resolved, const ErrorModel& prediction);

/// Whether no part has more than fp32's significant bits.
bool has_fp32_bits(const ComplexArray<double>& x);

/// The format that results are in, whose steps the ulp columns count.
Format result_format(const CasePlan& plan);

/// How often a case transforms: a refinement twice more per step, one after the other.
std::uint64_t transforms_of(const Resolved& resolved);

/// Fills in what theory says of a row, and returns it: rounding of the input, refinement and
/// rounding of the result included. Without a problem the expected error is that of data of any
/// bits, the bound that of the worst data, and there is none for transforms whose data make it as
/// large as they like. Fixed point that has `overflowed` has neither a bound nor an expectation.
ErrorModel predict_into(Row& row, const CasePlan& plan, const Problem* problem, bool input_rounded,
                        bool overflowed = false);

/// Whether what is beyond the format's range becomes its largest value.
bool ends_at_largest(const Format& format, Rounding casts);

/// Empties the bound of a measured row that is above it, and says why, in two cases: the effect of
/// values below the normal numbers is not known, or a value on the way may have saturated, which no
/// result shows.
void leave_out_bound(Row& row, const CasePlan& plan, const Problem& problem,
                     const ErrorModel& prediction);

}  // namespace fftprec

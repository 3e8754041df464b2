/// Predictions for a case and its row: bound, expected error and cost on the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "experiments/cases/case.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec {

/// How many times its expected error a result may have before theory and measurement count as
/// different. Over random inputs, measured errors are 0.8 to 1.3 of expected ones
/// (docs/numerics.md).
inline constexpr double expected_margin = 2;

/// The prediction with errors only from stages that are not exact in `trace`.
ErrorModel traced_prediction(const Case& where, const Resolved& resolved, StageTrace& trace);

/// Adds the rounding of the operands to the storage format to the prediction of a transform.
void round_input(ErrorModel& prediction, const ArithmeticSpec& arithmetic, std::size_t operands);

/// Whether errors are independent, as the RMS model assumes. A table with inexact angles has equal
/// errors in every stage and in every transform of a refinement, so the model holds only if the
/// data are multiplied by such a table once. With one significant bit, errors depend on the values;
/// if the data have a mean, they depend on the one output to which the mean goes.
bool model_holds(const SharedCase& where, const Resolved& resolved, const ErrorModel& prediction);

/// The expected relative error for that input: some errors vanish if it has no more than fp32's
/// significant bits.
std::optional<double> expected_for(const ErrorModel& prediction, const ComplexArray<double>& input);

/// The format of the results, which defines the ulp columns.
Format result_format(const CasePlan& plan);

/// The number of transforms of a case, one after the other: each step of a refinement adds two.
std::uint64_t transforms_of(const Resolved& resolved);

/// Fills the theory columns of a row and returns the model, which includes the rounding of the
/// input, refinement and the rounding of the result. Without a problem the expected error is for
/// data with any number of bits and the bound for the worst data; transforms whose data can make
/// the error arbitrarily large then have no bound. Fixed point that has `overflowed` has neither
/// bound nor expected error.
ErrorModel predict_into(Row& row, const CasePlan& plan, const Problem* problem, bool input_rounded,
                        bool overflowed = false);

/// Takes the mark of machine-checked bounds from a row whose error is not finite: the theorems are
/// of computations that do not overflow.
void unmark_overflow(Row& row);

/// The largest error of a single result that the theorem allows for this input, which is rounded
/// first or not; empty if there is no such bound.
std::optional<double> result_bound(const CasePlan& plan, const ComplexArray<double>& input,
                                   bool input_rounded);

/// Whether values beyond the range of the format become its largest value.
bool ends_at_largest(const Format& format, Rounding casts);

/// If the measured error of a row is above its bound, removes the bound and states the reason in
/// two cases: the effect of values below the normal numbers is not known, or an intermediate value
/// may have saturated, which the result does not show.
void leave_out_bound(Row& row, const CasePlan& plan, const Problem& problem,
                     const ErrorModel& prediction);

}  // namespace fftprec

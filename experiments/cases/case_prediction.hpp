/// What can be said of a case before it runs, and of its row: bound, expected error, cost on the
/// machine and cost to emulate.
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
bool model_holds(const Case& where, const Resolved& resolved, const ErrorModel& prediction);

/// Whether no part has more than fp32's significant bits.
bool has_fp32_bits(const ComplexArray<double>& x);

/// The format that results are in, whose steps the ulp columns count.
Format result_format(const Setup& setup, std::size_t batch);

/// How often a case transforms: a refinement twice more per step, one after the other.
std::uint64_t transforms_of(const Resolved& resolved);

/// Fills in what theory says of a row, and returns it: rounding of the input, refinement and
/// rounding of the result included. Without a problem the expected error is that of data of any
/// bits, the bound that of the worst data, and there is none for transforms whose data make it as
/// large as they like. Fixed point that has `overflowed` has neither a bound nor an expectation.
ErrorModel predict_into(Row& row, const Setup& setup, const Problem* problem, bool input_rounded,
                        bool overflowed = false);

/// Whether what is beyond the format's range becomes its largest value.
bool ends_at_largest(const Format& format, Rounding casts);

/// Empties the bound of a measured row that is above it, and says why, in two cases: the effect of
/// values below the normal numbers is not known, or a value on the way may have saturated, which no
/// result shows.
void leave_out_bound(Row& row, const Setup& setup, const Problem& problem,
                     const ErrorModel& prediction);

/// What it takes to emulate a case, in nanoseconds of one thread.
struct EmulationCost {
  double run_ns;  ///< the transform and its measurement, with tables and truth at hand
  /// The tables of the case's plan and of its inverse, which all cases share that differ in input,
  /// seed and batch alone.
  double tables_ns;
  double least_bytes;  ///< of memory: input, truth and result, and the tables
};

EmulationCost emulation_cost(Session& session, const Case& where);

/// The same for the truth that the case needs, in the tier that is chosen where none is named: a
/// vectorised FFT in double-double, or a kernel. Depends on the problem of the case alone.
double estimated_truth_ns(Session& session, const Case& where);

/// Run, tables and truth of a case by itself.
double estimated_whole_ns(Session& session, const Case& where);

}  // namespace fftprec

/// Runs a case, the algorithm in its mode on its machine, and measures it against the truth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "arith/support/isa.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec {

/// A result, and what only its computation can report.
struct Output {
  ComplexArray<double> values;  ///< rounded to double where the carrier is wider
  ComplexArray<double> rest;    ///< the error of this rounding; empty if it is zero
  ComplexArray<double>
      round_trip;  ///< the inverse of `values`; empty without an inverse, or unasked
  bool input_rounded;
  std::uint64_t time_ns;
  std::uint64_t overflow_count = 0;  ///< results of operations that left the range of fixed point
};

/// The truth minus `rest`: what `values` should be if `rest` is added to them.
truth::Truth without_rest(truth::Truth truth, const ComplexArray<double>& rest);

/// How a case is run. Only `refinement_steps`, and a trace that replaces values, change bits of the
/// result.
struct ExecutionOptions {
  Isa isa = best_isa();
  bool round_trip = true;                 ///< also runs the inverse
  std::optional<int> refinement_steps{};  ///< instead of those of the mode
  StageTrace* trace = nullptr;            ///< follows the stages
};

/// Runs a case on its input.
Output run_case(const CasePlan& plan, const ComplexArray<double>& input,
                const ExecutionOptions& how = {});

/// The output_hash of rows: the hash of `values`, followed by `rest` if it is not empty.
std::string output_hash(const Output& output);

/// Whether the mode rounds this input before the transform.
bool rounds_input(const Resolved& resolved, const ComplexArray<double>& input, Isa isa);

/// Which columns of a row are filled: only the measures of the result, or also the round trip,
/// bounds, expected values and costs, which take longer than a small transform.
enum class RowExtent { result, whole };

/// Runs the case on `problem` and measures it. A combination without meaning gives a row with
/// status skipped and the reason. All exceptions but NotApplicable reach the caller (the runner
/// makes failed rows of them). The row depends only on the case and on the options of its truth,
/// not on `isa` or the number of threads.
Row evaluate(const CasePlan& plan, const Problem& problem, Isa isa = best_isa(),
             RowExtent extent = RowExtent::whole);

/// Evaluates a single case in its own session.
Row evaluate(const Case& where, const Problem& problem, Isa isa = best_isa());

/// As above, on the problem of the case.
Row evaluate(const Case& where);

/// Session::check_names in its own session.
void check_names(const Case& where);

/// The message of check_names for a name of the case that is not known; empty if all are known.
/// Files of inputs and tables are not read.
std::string unknown_in(Case where);

}  // namespace fftprec

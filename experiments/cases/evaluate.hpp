/// A case, run and measured: the algorithm in its mode on its machine, against the truth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "arith/support/isa.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec {

/// A result with what only its computation can tell.
struct Output {
  ComplexArray<double> values;  ///< rounded to double where the carrier is wider
  ComplexArray<double> rest;    ///< what that rounding lost; empty where nothing
  ComplexArray<double>
      round_trip;  ///< the inverse of `values`; empty without an inverse, or unasked
  bool input_rounded;
  std::uint64_t time_ns;
  std::uint64_t lost = 0;  ///< real results of fixed point beyond their range, on the way there
};

/// The truth of what `values` should be where `rest` is added to them later.
truth::Truth without_rest(truth::Truth truth, const ComplexArray<double>& rest);

/// How a case is run; no field changes a bit of its result but `refinement_steps`.
struct RunHow {
  Isa isa = best_isa();
  bool round_trip = true;                 ///< takes the way back, too
  std::optional<int> refinement_steps{};  ///< other than the mode's
};

/// Carries out a case on its input.
Output run_case(const CasePlan& plan, const ComplexArray<double>& input, const RunHow& how = {});

/// The hash by which rows know a result: of `values`, with `rest` after it where there is one.
std::string output_hash(const Output& output);

/// Whether the case's mode changes its input before it transforms it.
bool rounds_input(const Resolved& resolved, const ComplexArray<double>& input, Isa isa);

/// What a row holds, the less first: what was measured of the result alone, or also the way back,
/// bounds, expected values and costs, which take longer than a small transform.
enum class RowExtent { result, whole };

/// Runs the case on `problem` and measures it. A combination without meaning gives a row with
/// status skipped and the reason; every exception but NotApplicable passes through (the runner
/// makes it a failed row). The row does not depend on `isa`, the number of threads or anything else
/// but the case and how its truth was asked for.
Row evaluate(const CasePlan& plan, const Problem& problem, Isa isa = best_isa(),
             RowExtent extent = RowExtent::whole);

/// The same in a session of its own, for a single case.
Row evaluate(const Case& where, const Problem& problem, Isa isa = best_isa());

/// The same on the problem that the case's key names.
Row evaluate(const Case& where);

/// Session::check_names, in a session of its own.
void check_names(const Case& where);

/// What check_names says of a name of the case that this program does not know; empty if it knows
/// all of them. Whether files of input and tables are there is not asked.
std::string unknown_in(Case where);

}  // namespace fftprec

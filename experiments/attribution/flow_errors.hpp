/// The errors that a case adds on its way, each carried by exact stages to the result.
///
/// The data d_s after stage s are the emulation's, in every mode. A stage that errs nowhere, E_s,
/// is computed by the flow graph in long double with exact tables; the same with the case's tables
/// is G_s. So d_s - E_s(d_(s-1)) splits into tables, G_s(d_(s-1)) - E_s(d_(s-1)), overflow, and
/// operations: the products, sums, shifts and stores that remain. The stages after s are linear, so
/// all these parts, carried to the result, add up to its error exactly.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/support/isa.hpp"
#include "experiments/attribution/flow.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/cases/evaluate.hpp"

namespace fftprec::attribution {

/// Values of the whole batch; empty: all are zero.
using FlowValues = std::vector<FlowValue>;

/// What a stage adds to the result, in units of the true result. Of the first one, the rounding of
/// the input, `operations` is that rounding and `tables` is empty.
struct FlowStageErrors {
  std::string title;
  StagePath path{};  ///< empty: the result
  FlowValues tables;
  FlowValues shifts;      ///< of fixed point: roundings where the stage scales its data
  FlowValues operations;  ///< roundings of products, sums and stores
  FlowValues overflow;    ///< of fixed point: what wrapping or saturating changes

  /// All of them.
  std::array<FlowValues*, 4> parts() { return {&tables, &shifts, &operations, &overflow}; }
  FlowValues all() const;
};

struct FlowErrors {
  FlowValues exact;                     ///< the result where nothing errs
  std::vector<FlowStageErrors> stages;  ///< in the order of the data, the input's rounding first
  Output output;                        ///< the case's: `exact` and all errors of stages
};

/// x + y, where empty ones are zero.
FlowValues sum_of(const FlowValues& x, const FlowValues& y);
/// The root of the sum of squares.
double norm_of(const FlowValues& x);
/// The values rounded to double, and what the rounding took.
Output output_of(const FlowValues& x);

/// The errors of a case on this input. Stages that hold no complete array belong to the next one.
/// Overflow is told from operations where the mode has room for more integer bits. Throws
/// NotApplicable as flow_of does, and for modes that refine; InputError for unknown names.
FlowErrors flow_errors(const Case& where, const ComplexArray<double>& input, Isa isa = best_isa());

}  // namespace fftprec::attribution

/// The error after each stage of a case, measured only against the truth of the final result.
///
/// To find the error after stage s, the case is run with the input and the stages up to s in its
/// own arithmetic and tables, and with all later stages exact. The stages of a DFT are unitary up
/// to a scale, so in the 2-norm the relative error of this result is that of the data after stage
/// s. This works even if the data never pass stage s at one moment.
///
/// In fixed point, blocks, pairs of floats and binary64, the flow graph does the later stages
/// (flow_errors.hpp); then stages that leave no complete array belong to the next one.
///
/// A refinement would undo the errors of its first transform. So its stages are the stages of the
/// first transform without refinement, and then the result after each step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arith/support/isa.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec::attribution {

struct StageError {
  std::string title;
  double err_l2_rel;  ///< this and the next: the columns, for the result with exact later stages
  double err_linf_rel;
  /// ||y_s - y_(s-1)||_2 / ||t||_2: what the stage itself adds.
  double added_l2_rel;
  std::optional<double> expected_l2_rel;  ///< of err_l2_rel: RMS model, random input
};

struct StageErrors {
  std::vector<StageError> stages;  ///< in the order of the data, the input's rounding first
  /// Error of the result if every stage is exact, that is in binary64 with tables in binary64, for
  /// the unrounded input; at least 2^-53. By the flow graph that is in long double, at least 2^-63.
  /// Smaller errors cannot be resolved.
  double floor_l2_rel;
};

/// Runs the case once per stage, or once for the flow graph. Throws NotApplicable, with the reason,
/// if the case has no meaning or its stages cannot be separated; InputError for an unknown name.
StageErrors stage_errors(const Case& where, const Problem& problem, Isa isa = best_isa());

/// By the flow graph, of any case that has one.
StageErrors flow_stage_errors(const Case& where, const Problem& problem, Isa isa = best_isa());

/// Whether the errors of a case come from its flow graph (flow_errors.hpp): it has one, and is no
/// TracedCase.
bool goes_by_flow(const Case& where);

/// The expected_l2_rel of the row.
std::optional<double> expected_of_result(const CasePlan& plan, const Problem& problem,
                                         const Output& output);

/// Why a case has no stage errors, or an empty string. Of what only the making of a flow graph
/// shows, stage_errors tells.
std::string untraceable(const Case& where);

}  // namespace fftprec::attribution

/// The error after each stage of a case, measured only against the truth of the final result.
///
/// To find the error after stage s, the case is run with the input and the stages up to s in its
/// own arithmetic and tables, and with all later stages exact. The stages of a DFT are unitary up
/// to a scale, so in the 2-norm the relative error of this result is that of the data after stage
/// s. This works even if the data never pass stage s at one moment.
///
/// A refinement would undo the errors of its first transform. So its stages are the stages of the
/// first transform without refinement, and then the result after each step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arith/support/isa.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec::attribution {

/// A case whose operations round or are exact as a trace says (TracedArithmetic).
class TracedCase {
 public:
  /// Throws NotApplicable, with the reason, if the case has no meaning or its stages cannot be
  /// separated; InputError for an unknown name.
  explicit TracedCase(const Case& where, Isa isa = best_isa());

  const Case& where() const { return where_; }
  const Resolved& resolved() const { return resolved_; }

  /// The result for `input`; with a refinement, the result of its first transform. Every call makes
  /// the tables, since they depend on the trace.
  ComplexArray<double> run(const ComplexArray<double>& input, StageTrace& trace) const;

  /// The relative 2-norm of the error that the RMS model expects of the sources in `choice`, if it
  /// can tell them from the others. `input_rounded`: whether the mode changes this input at all.
  std::optional<double> expected(StageTrace::Choice choice, bool input_rounded,
                                 const ComplexArray<double>& input) const;

 private:
  Case where_;
  Resolved resolved_;
  Isa isa_;
};

/// Titles of paths, without the leading names that all stages except the rounding of the input
/// share.
std::vector<std::string> titles_of(const std::vector<StagePath>& paths);

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
  /// the unrounded input; at least 2^-53. Smaller errors cannot be resolved.
  double floor_l2_rel;
};

/// Runs the case once per stage. Throws NotApplicable, with the reason, if the case has no meaning
/// or its stages cannot be separated; InputError for an unknown name.
StageErrors stage_errors(const Case& where, const Problem& problem, Isa isa = best_isa());

/// Why a case has no stage errors, or an empty string.
std::string untraceable(const Case& where);

}  // namespace fftprec::attribution

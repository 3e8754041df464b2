/// A case whose operations have only some of their errors, as a trace says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/arithmetic/stages.hpp"
#include "arith/formats/complex_array.hpp"
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

/// What TracedCase::expected gives, of any case that the model can predict.
std::optional<double> expected_of(const Case& where, const Resolved& resolved,
                                  StageTrace::Choice choice, bool input_rounded,
                                  const ComplexArray<double>& input);

/// Titles of paths, without the leading names that all stages except the rounding of the input
/// share.
std::vector<std::string> titles_of(const std::vector<StagePath>& paths);

/// Why a case is no TracedCase, or an empty string.
std::string why_not_traced(const Case& where);

}  // namespace fftprec::attribution

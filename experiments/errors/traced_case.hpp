/// A case whose stages can be done exactly, one by one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arith/support/isa.hpp"
#include "experiments/cases/resolved_case.hpp"

namespace fftprec::errors {

/// The mark of the input's rounding to the storage format, before all stages.
inline constexpr std::string_view input_rounding = "input rounding";

/// A case, run as a trace says: in its own arithmetic or exactly (TracedArithmetic).
class TracedCase {
 public:
  /// Throws NotApplicable, saying why, where the case has no meaning or its stages cannot be told
  /// from one another; InputError for an unknown name.
  explicit TracedCase(const Case& where, Isa isa = best_isa());

  const Case& where() const { return where_; }
  const Resolved& resolved() const { return resolved_; }

  /// The result for `input`. A mode's refinement is left out: this is its first transform.
  /// Tables are made anew: the trace decides them too.
  ComplexArray<double> run(const ComplexArray<double>& input, StageTrace& trace) const;

  /// The relative 2-norm of the error that the RMS model expects of the sources in `choice`, if it
  /// can tell them from the others. `input_rounded`: whether the mode changes this input at all.
  std::optional<double> expected(StageTrace::Choice choice, bool input_rounded) const;

 private:
  Case where_;
  Resolved resolved_;
  Isa isa_;
};

/// Titles of paths, without the marks at which all stages but the input's rounding begin alike.
std::vector<std::string> titles_of(const std::vector<StagePath>& paths);

}  // namespace fftprec::errors

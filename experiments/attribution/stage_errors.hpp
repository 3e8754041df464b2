/// The error after each stage of a case, judged by the truth of the final result alone.
///
/// The error after stage s is the error of the result when the input and the stages up to s are
/// done in the case's own arithmetic, with its own tables, and all later ones exactly. The stages
/// of a DFT are unitary but for their scale, so in the 2-norm that is the relative error of the
/// data after stage s. The truth of the result is the only one needed, even if at no moment all
/// data have passed stage s and none the next.
///
/// A refinement would undo the errors of its first transform. So its stages are the stages of the
/// first transform, with no refinement after it, and then the result after each step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arith/support/isa.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec::attribution {

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
  /// can tell them from the others. `input_rounded`: whether the mode changes this input at all;
  /// `of_fp32`: whether it has no more than fp32's bits.
  std::optional<double> expected(StageTrace::Choice choice, bool input_rounded, bool of_fp32) const;

 private:
  Case where_;
  Resolved resolved_;
  Isa isa_;
};

/// Titles of paths, without the marks at which all stages but the input's rounding begin alike.
std::vector<std::string> titles_of(const std::vector<StagePath>& paths);

struct StageError {
  std::string title;
  double err_l2_rel;  ///< as the columns of those names, of the result with exact later stages
  double err_linf_rel;
  /// ||y_s - y_(s-1)||_2 / ||t||_2: what the stage itself adds.
  double added_l2_rel;
  std::optional<double> expected_l2_rel;  ///< of err_l2_rel: RMS model, random input
};

struct StageErrors {
  std::vector<StageError> stages;  ///< in the order of the data, the input's rounding first
  /// Error of the result when every stage is done exactly, in binary64 with tables rounded to it,
  /// on the input as given; at least 2^-53. Smaller errors cannot be resolved.
  double floor_l2_rel;
};

/// Runs the case once per stage. Throws NotApplicable, saying why, where the case has no meaning or
/// its stages cannot be told from one another; InputError for an unknown name.
StageErrors stage_errors(const Case& where, const Problem& problem, Isa isa = best_isa());

/// What a stage leaves, in the order of the algorithm's own array.
struct StageData {
  std::string title;
  ComplexArray<double> values;  ///< of the whole batch
};

/// The data after each stage of the case's first transform, with these sources of error: of
/// radix2-dit and recursive from the bit-reversed input on, of radix2-dif before the bit reversal,
/// of the stockham ones element (l, m) of n/M x M, the DFT of x[m], x[m + M], ... at frequency l.
/// Stages that leave no array of their own are left out, as in a transform that calls an FFT
/// several times. Throws NotApplicable, saying why, where no stage leaves one, and as TracedCase.
std::vector<StageData> stage_data(const Case& where, const ComplexArray<double>& input,
                                  ErrorSources sources = ErrorSources::all(), Isa isa = best_isa());

/// Somebody's data after a stage, beside the emulation's.
struct StageDivergence {
  double error;       ///< ||yours - exact||_2 / ||exact||_2
  double emulated;    ///< the same of the emulation
  bool same;          ///< every value is the emulation's
  bool diverges;      ///< rounding does not explain it, or there is a NaN
  std::size_t worst;  ///< where yours differs most from the emulation
};

/// Rounding explains an error of `factor` times the emulation's, and of `factor` times `unit` where
/// the emulation's own happens to be smaller. Requires: arrays of one size.
StageDivergence stage_divergence(const ComplexArray<double>& yours,
                                 const ComplexArray<double>& emulated,
                                 const ComplexArray<double>& exact, double unit, double factor);

/// Why a case has no stage errors, or an empty string.
std::string untraceable(const Case& where);

}  // namespace fftprec::attribution

/// Why a result errs: causes whose emulated error is the measured one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/testing/measure_result.hpp"

namespace fftprec {

/// A possible cause of an error. The error that it makes alone, everything else in fp64, is
/// emulated and compared with the measured error, output minus truth, element by element.
struct ErrorCause {
  std::string says;             ///< a sentence without a full stop
  std::optional<Case> shown{};  ///< a case that has this error
  bool by_diverge = false;      ///< `fftprec diverge` on `shown` shows it; else `fftprec run`
  /// Re <emulated, measured> / (||emulated|| ||measured||); none for causes that `suspicion` names
  /// and for overflow.
  std::optional<double> correlation{};
};

struct ErrorCauses {
  Row row;                    ///< of measure_result
  std::string as_expected{};  ///< why nothing is wrong, as a sentence; then there are no causes
  std::vector<ErrorCause> causes{};  ///< likely ones first
};

/// Looks for the cause in this order: infinities by overflow; an error that the theory of
/// usual_case explains; a wrong convention and other suspects of `suspicion`; tables of every
/// source, in each algorithm; Bluestein's chirp alone; one wrong entry of a table (n up to 512);
/// arithmetic in a narrower format. Long batches are judged by their first items, 2^14 values in
/// all; algorithms whose tables are longer than 2^16, and the definition beyond 256 points, are
/// left out. An emulated cause is named if the measured error is half to twice its error, as far as
/// both are alike, and if they correlate by more than chance gives: 1/2, for few values 6/sqrt(2
/// values).
ErrorCauses error_causes(const ForeignProblem& asked, const ComplexArray<double>& output,
                         const Format& format);

}  // namespace fftprec

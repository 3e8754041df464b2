/// The error budget of a case: how much of its error each source makes, and each stage.
///
/// A source is looked at twice. Alone: every operation is exact but for the errors of this source
/// (traced_arithmetic.hpp); the change of the result is the source's part. Removed: every operation
/// has all of its errors but this source's. Independent parts add up in quadrature; the rest of the
/// square is their interaction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/arithmetic/stages.hpp"
#include "arith/support/isa.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec::attribution {

/// Norms are relative to ||t||_2.
struct SourcePart {
  ErrorSource source;
  std::string name;
  double alone;                    ///< ||y_source - y_exact||
  double removed;                  ///< ||y_all_but_source - t||
  std::optional<double> expected;  ///< of `alone`: RMS model, where it tells the source apart
};

/// What a stage adds by each source alone, in the order of Budget::sources.
struct StageParts {
  std::string title;
  std::vector<double> alone;
  double all;  ///< all sources of this stage together
};

struct Budget {
  double error;                     ///< err_l2_rel of the case
  std::optional<double> expected;   ///< its expected_l2_rel
  double modelled;                  ///< ||y - t|| with all sources by brackets: the same, nearly
  std::vector<SourcePart> sources;  ///< those that add anything, the largest first
  double quadrature;                ///< root of the sum of their squares
  double interaction;               ///< 1 - (quadrature / error)^2: what is left of the square
  /// (||sum of parts||^2 - sum of squares) / error^2: that part of it by which parts, as vectors,
  /// correlate. The rest has arisen from several sources together, or is chance: roundings of data
  /// without the other errors are other roundings, of the same size.
  double correlation;
  std::vector<StageParts> stages;  ///< in the order of the data
  double floor_l2_rel;             ///< smaller parts cannot be told
};

/// Throws as stage_errors, and NotApplicable for a mode that refines.
Budget error_budget(const Case& where, const Problem& problem, Isa isa = best_isa());

}  // namespace fftprec::attribution

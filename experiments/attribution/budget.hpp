/// The error budget of a case: its error by source and by stage.
///
/// Each source is measured twice. Alone: every operation is exact except for the errors of this
/// source (traced_arithmetic.hpp); the change of the result is the part of the source. Removed:
/// every operation has all errors except those of this source. Squares of independent parts add up;
/// the difference to the square of the error is their interaction.
///
/// Fixed point, blocks, pairs of floats and binary64 have no operations that err by one source
/// alone. There the flow graph splits the error itself (flow_errors.hpp): the parts add up to it as
/// vectors, and removed is what is left without one of them.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "algorithms/arithmetic/stages.hpp"
#include "arith/support/isa.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec::attribution {

/// Sources that a flow graph tells apart, beside input and tables.
enum class FlowSource {
  shifts,      ///< of fixed point: roundings where stages scale their data
  operations,  ///< roundings of products, sums and stores
  overflow,    ///< of fixed point: results that wrapped or saturated
};
using BudgetSource = std::variant<ErrorSource, FlowSource>;

/// Norms are relative to ||t||_2.
struct SourcePart {
  BudgetSource source;
  std::string name;
  double alone;                    ///< ||y_source - y_exact||
  double removed;                  ///< ||y_all_but_source - t||
  std::optional<double> expected;  ///< of `alone`: RMS model, if it can separate the source
};

/// The error that a stage adds by each source alone, in the order of Budget::sources.
struct StageParts {
  std::string title;
  std::vector<double> alone;
  double all;  ///< all sources of this stage together
};

struct Budget {
  double error;                    ///< err_l2_rel of the case
  std::optional<double> expected;  ///< its expected_l2_rel
  /// ||y - t|| with all sources traced, or as the sum of the parts: nearly `error`.
  double modelled;
  std::vector<SourcePart> sources;  ///< the sources that add an error, the largest first
  double quadrature;                ///< root of the sum of their squares
  double interaction;               ///< 1 - (quadrature / error)^2
  /// (||sum of parts||^2 - sum of squares) / error^2: the share of the interaction that comes from
  /// correlation of the parts, as vectors. The rest comes from several sources together, or is
  /// chance: data without the other errors have other rounding errors, of equal size.
  double correlation;
  std::vector<StageParts> stages;  ///< in the order of the data
  double floor_l2_rel;             ///< smaller parts cannot be resolved
};

/// Throws as stage_errors, and NotApplicable for a mode that refines. By the flow graph it runs the
/// case once, or twice if results overflow; else once for each source, and for each in each stage.
Budget error_budget(const Case& where, const Problem& problem, Isa isa = best_isa());

/// By the flow graph, of any case that has one.
Budget flow_budget(const Case& where, const Problem& problem, Isa isa = best_isa());

}  // namespace fftprec::attribution

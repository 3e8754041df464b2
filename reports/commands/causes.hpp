/// The cause of errors in rows of a run, for `explain` and `gate`.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/row.hpp"
#include "experiments/hypotheses/explain.hpp"
#include "experiments/hypotheses/run_rows.hpp"
#include "reports/commands/commands.hpp"

namespace fftprec::commands {

/// How the cause of errors in rows is sought.
struct CauseRequest {
  hypotheses::HypothesisSet set;
  hypotheses::StandIns stand_ins{};
  /// The further spread counts only if nothing fits without: algorithms of other programs round in
  /// another order.
  hypotheses::ExplainOptions options{.replays = {.count = 8}, .further_spread = 0.1};
  std::size_t most_rows = 6;
  double most_ns = 2e7;  ///< to emulate a row once; longer ones are left
  unsigned threads = 1;
};

/// With builtin_run_hypotheses.
CauseRequest usual_cause_request(const CheckNames& check_names);

/// An explanation of rows, and which rows it is about.
struct ExplainedRows {
  hypotheses::Explanation explanation;
  std::string left;  ///< which rows were left, as "; ..." after a count, or empty
};

/// Explains the first rows that can be replayed in time; `rows` stand in the order in which they
/// are wanted. Throws InputError as measured_as_named, and if every row is too long.
ExplainedRows explain_rows(std::span<const Row> rows, const std::string& name,
                           const CauseRequest& request, Context& context);

}  // namespace fftprec::commands

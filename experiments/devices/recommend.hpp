/// Recommends an algorithm and mode: the work, the published time and the error
/// of each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/theory/predictor.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/cases/measured_limit.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/devices/latencies.hpp"
#include "experiments/sweeps/run.hpp"

namespace fftprec::devices {

/// "METRIC=NUMBER". Throws InputError for an unknown metric, listing the known
/// ones, and for a limit that is not a number above 0.
MeasuredLimit error_budget_from(std::string_view text);

/// The errors by which a choice is judged.
enum class JudgedBy {
  measured,  ///< the largest over inputs and seeds
  bound,     ///< the largest of the theorems' worst cases; only for err_l2_rel
  both,
};

/// "measured", "bound" or "both".
JudgedBy judged_by_named(std::string_view name);

struct RecommendRequest {
  Case where;  ///< transform, machine, tables, n and batch of all choices
  std::vector<std::string> algorithms{};
  std::vector<std::string> modes{};
  std::vector<std::string> inputs{"gaussian", "uniform", "tone", "wide"};
  std::uint64_t seeds = 2;  ///< of each input, from the seed of `where` on
  MeasuredLimit budget;
  JudgedBy by = JudgedBy::both;
  bool all = false;               ///< measures also what is ruled out without
  std::string hardware = "trn1";  ///< whose published latencies are used
  /// Limit of the estimated emulation time: a choice whose cases take longer is
  /// left out.
  double most_seconds = 1;
  unsigned threads = 1;
};

/// Every algorithm and mode whose work can be counted.
std::vector<std::string> counted_algorithms();
std::vector<std::string> counted_modes();

/// The work of a case on a Trainium core, including all passes of a refinement.
struct Work {
  KernelCalls calls;    ///< one after the other
  EngineCycles cycles;  ///< of both engines, by the vendor's documentation (costs.hpp)

  /// The engines work one after the other, and their cycles count equally.
  std::uint64_t total_cycles() const { return cycles.tensor + cycles.vector; }
};

/// The work of the whole batch. Throws NotApplicable if it cannot be counted:
/// data or residues on the host, an algorithm with unknown operations, an
/// impossible combination.
Work counted_work(Session& session, const Case& where);

/// Why a choice was not measured with every input and seed: it cannot change an answer, since ...
enum class RuledOut {
  no,             ///< it was measured
  by_bound,       ///< its worst case is above the limit, or above a measured choice of no more work
  by_error,       ///< one measured error is
  by_prediction,  ///< its expected error is, by more than `expected_margin`
};

/// "", "bound", "error" or "prediction".
std::string_view name_of(RuledOut reason);

/// An algorithm in a mode.
struct Choice {
  std::string algorithm;
  std::string mode;
  Work work;  ///< of the whole batch
  std::optional<PublishedTime> published{};
  /// The largest over random inputs and seeds; empty for a metric without a model.
  std::optional<double> expected{};
  std::optional<double> measured;  ///< the largest over inputs and seeds; empty if ruled out
  /// The largest of all cases; empty for a metric without theorem, and if a case has none. Of a
  /// choice that was ruled out: if no value overflows.
  std::optional<double> bound;
  /// Compared with the budget; infinite if the bound is needed and missing. Of a choice that was
  /// ruled out: the bound or the expected error.
  double judged;
  bool on_front = false;  ///< no other has as few cycles, as few calls and as small an error
  RuledOut ruled_out = RuledOut::no;
};

struct Recommendation {
  std::vector<Choice> choices;         ///< by cycles, then calls, then error
  std::optional<std::size_t> best;     ///< the least work within the budget
  std::optional<std::size_t> fastest;  ///< within the budget, among choices with a published time
  std::size_t closest = 0;         ///< the choice with the least error, among equals the least work
  std::size_t too_slow = 0;        ///< choices left out for their time to emulate
  std::size_t not_applicable = 0;  ///< impossible combinations, or with unknown work
  std::string first_reason;        ///< of the first of these
};

/// Counts the work of the whole batch, and measures with a batch of one, since errors do not depend
/// on it. What bound or prediction rules out is not measured: the front, `best`, `fastest`,
/// `closest` and the first choice whose measured error is within the budget are as if everything
/// was, for certain unless choices were ruled out by prediction. Throws InputError for unknown
/// names, a metric that --by cannot judge; NotApplicable if no combination has a meaning, with the
/// first reason. `sink` gets every measured row, as in run_cases.
Recommendation recommend(const RecommendRequest& request, const RowSink& sink = {});

}  // namespace fftprec::devices

/// Which algorithm and mode to take: how much work each is, what is published
/// of its time, and how it errs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/theory/predictor.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/cases/measured_limit.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/devices/latencies.hpp"

namespace fftprec::devices {

/// "METRIC=NUMBER". Throws InputError for an unknown metric, listing the known
/// ones, and for what is no number above 0.
MeasuredLimit error_budget_from(std::string_view text);

/// By which errors a choice is judged.
enum class JudgedBy {
  measured,  ///< the largest over inputs and seeds
  bound,     ///< the largest of the theorems' worst cases; of err_l2_rel alone
  both,
};

/// "measured", "bound" or "both".
JudgedBy judged_by_named(std::string_view name);

struct RecommendRequest {
  Case where;  ///< transform, machine, tables, n and batch of all choices
  std::vector<std::string> algorithms{};
  std::vector<std::string> modes{};
  std::vector<std::string> inputs{"gaussian", "uniform", "tone", "wide"};
  std::uint64_t seeds = 2;  ///< of each input, from that of `where` on
  MeasuredLimit budget;
  JudgedBy by = JudgedBy::both;
  std::string hardware = "trn1";  ///< whose published latencies
  /// Of emulation, by estimate: a choice whose cases take longer is left out.
  double most_seconds = 1;
  unsigned threads = 1;
  std::function<void(std::size_t done, std::size_t total)> on_progress{};  ///< after each case
};

/// Every algorithm and mode whose work can be counted.
std::vector<std::string> counted_algorithms();
std::vector<std::string> counted_modes();

/// What a case makes a Trainium core do, all passes of a refinement included.
struct Work {
  KernelCalls calls;    ///< one after the other
  EngineCycles cycles;  ///< of both engines, by the vendor's documentation (costs.hpp)

  /// The engines work one after the other, and their cycles count alike.
  std::uint64_t total_cycles() const { return cycles.tensor + cycles.vector; }
};

/// Of the whole batch. Throws NotApplicable where nothing can be counted: data
/// or residues on the host, an algorithm of unknown operations, a combination
/// without meaning.
Work counted_work(Session& session, const Case& where);

/// An algorithm in a mode.
struct Choice {
  std::string algorithm;
  std::string mode;
  Work work;  ///< of the whole batch
  std::optional<PublishedTime> published{};
  double measured;              ///< the largest over inputs and seeds
  std::optional<double> bound;  ///< the largest of those rows; empty for a metric without theorem
  double judged;                ///< what is compared with the budget; infinite without a bound
                                ///< to judge by
  bool on_front = false;        ///< no other has as few cycles, as few calls and as small an error
};

struct Recommendation {
  std::vector<Choice> choices;         ///< by cycles, then calls, then error
  std::optional<std::size_t> best;     ///< the least work within the budget
  std::optional<std::size_t> fastest;  ///< within the budget, of those whose time is published
  std::size_t closest = 0;             ///< the one that errs least, with the least work of those
  std::size_t too_slow = 0;            ///< choices left out for their time to emulate
  std::size_t not_applicable = 0;  ///< combinations without a meaning, or whose work is not known
  std::string first_reason;        ///< of the first of them
};

/// Measures every choice with a batch of one, since errors do not depend on it,
/// and counts the work of the whole batch. Throws InputError for unknown names,
/// a metric that --by cannot judge; NotApplicable if no combination has a
/// meaning, with the first reason.
Recommendation recommend(const RecommendRequest& request);

}  // namespace fftprec::devices

/// Replaying measurements: cases run as a hypothesis says they did, over what is not known of them.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "experiments/rows/row.hpp"
#include "experiments/silicon/hypotheses.hpp"
#include "experiments/silicon/prediction.hpp"
#include "experiments/sweeps/run.hpp"

namespace fftprec::silicon {

/// How often, and over what, a measurement is replayed.
struct ReplayPlan {
  unsigned count = 16;      ///< replays of each row, at least 2
  unsigned first_draw = 0;  ///< draws of jitter first_draw .. first_draw + count - 1; 0: none
};

/// The cases that replay `where`: of a known seed, draws of a jitter of the input by one unit in
/// the last place, and of tables whose cosines are taken in fp32 likewise (jitter.hpp); otherwise
/// seeds 1, 2, ... Inputs that are files, and those without random numbers, are not jittered.
std::vector<Case> replays_of(const Case& where, bool seed_known, const ReplayPlan& plan);

/// One case with draw k of both jitters.
Case jittered_case(Case where, std::uint64_t k);

/// Runs cases and remembers their rows: the same case is run once.
class Replayer {
 public:
  /// `options` as run_cases takes them; its on_row is called for each row, too.
  explicit Replayer(RunOptions options) : options_(std::move(options)) {}

  /// Runs those of `cases` that were not run yet, all at once.
  void run(std::span<const Case> cases);

  /// Requires: run before.
  const Row& row(const Case& where) const { return rows_.at(where); }

  std::size_t count() const { return rows_.size(); }

 private:
  RunOptions options_;
  std::map<Case, Row> rows_;
};

/// What replays say of one measured row.
struct Replayed {
  Predictive predicted{};
  std::string failure{};  ///< why nothing is predicted, or empty
};

/// The prediction of `row`, run as `ran`. Requires: replays_of(ran, row.seed_known, plan) were run.
Replayed replayed(const Case& ran, const MeasuredRow& row, const ReplayPlan& plan,
                  double further_spread, const Replayer& replayer);

/// With evaluate and make_problem of this layer, on so many threads.
RunOptions replay_options(unsigned threads);

}  // namespace fftprec::silicon

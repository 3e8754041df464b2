/// The search for an input on which a case errs as much as possible.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/search/candidates.hpp"
#include "experiments/search/input_judge.hpp"

namespace fftprec {

struct SearchOptions {
  std::uint64_t budget = 20000;  ///< inputs judged, structured ones included
  std::uint64_t random = 1000;   ///< gaussian inputs to compare with, of as many seeds
  std::uint64_t seed = 1;        ///< the first of those, and that of every draw
  /// Called now and then with the inputs judged so far and the best score.
  std::function<void(std::uint64_t judged, double best)> on_progress{};
};

/// The best structured input of a family.
struct FamilyBest {
  std::string family;
  std::string name;
  std::uint64_t tried;
  double score;
};

struct SearchResult {
  double random_worst;  ///< the largest finite score of the random inputs
  double random_median;
  std::uint64_t random_worst_seed;
  std::vector<FamilyBest> families;  ///< the worst for the case first
  Candidate best;                    ///< family and name are those of the structured ancestor
  double best_score;
  double structured_score;  ///< of the best structured input
  std::uint64_t judged;     ///< of the budget
  std::uint64_t moves;      ///< from the ancestor to the best
};

/// Judges the structured candidates, then moves away from the best of them: each round tries 64
/// moved copies of the best inputs so far and keeps those that are worse for the case. Moves that
/// led further are tried more often. The result depends on the case, the metric, budget and seed
/// alone: not on the number of threads.
/// Scores that are not finite count as none. Throws InputError for a budget or random of 0.
SearchResult search_worst_input(const InputJudge& judge, const SearchOptions& options);

}  // namespace fftprec

/// The search for the input with the largest error of a case.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/row.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/search/candidates.hpp"
#include "experiments/search/digits.hpp"

namespace fftprec::search {

/// What a search varies: where it starts, and how it moves on.
struct SearchSpace {
  std::vector<Candidate> structured;
  std::size_t moves;  ///< kinds of moves
  std::function<ComplexArray<double>(const ComplexArray<double>& parent,
                                     const ComplexArray<double>& other, std::size_t move,
                                     TrialRandom& draws)>
      moved;
  /// Small changes for climbs from many inputs; empty: there are none.
  std::function<ComplexArray<double>(const ComplexArray<double>& parent, TrialRandom& draws)>
      nudged{};
};

/// The sum of the squares of all digits.
double energy(const ComplexArray<double>& digits);

/// Judges digits by err_linf_abs over bound_linf_abs.
inline constexpr std::string_view linf_over_bound = "linf_over_bound";

/// Judges digits by 1/energy if a coefficient is wrong, else by err_linf_abs - 1.
inline constexpr std::string_view least_energy = "least_energy";

/// Judges inputs of a case by one error metric. Inputs are n values, or, for a product with an
/// input `integers`, the digits of its operands, one operand after the other. Its values are those
/// of rows with input=file:..., bit for bit if an input is judged alone. Inputs that are judged
/// together share a truth of one tier, whose certified radius may change the last digit.
class InputJudge {
 public:
  /// Throws InputError for unknown names and metrics, batch != 1, a transform whose operand is not
  /// n arbitrary values (or real values), a product without `integers`, a metric over a bound
  /// where there is none; NotApplicable for an impossible case.
  InputJudge(const Case& where, std::string metric, unsigned threads);

  const Case& where() const { return where_; }
  bool has_digits() const { return !digits_.ranges.empty(); }
  SearchSpace space(std::uint64_t seed) const;

  /// The input of the case with a seed.
  ComplexArray<double> random(std::uint64_t seed) const;

  /// The metric of each input, independent of the number of threads; not finite if a metric has no
  /// value.
  std::vector<double> scores(std::span<const ComplexArray<double>> inputs) const;

 private:
  const Resolved& resolved() const { return plan_.resolved(); }
  const Format& storage() const { return resolved().arithmetic.operation_format(); }
  void check_values();
  void check_digits();
  /// What the transform takes: digits may be cut into parts first.
  ComplexArray<double> operands(const ComplexArray<double>& input) const;
  std::optional<double> bound(const ComplexArray<double>& operands) const;
  void judge(std::span<const ComplexArray<double>> inputs, std::span<double> scores) const;
  double score(Row row, const Problem& problem, const ComplexArray<double>& input) const;
  bool is_rounded(const ComplexArray<double>& input) const;

  Case where_;
  CasePlan plan_;
  std::shared_ptr<PlanTransforms> transforms_;  ///< held, so that they are made once
  std::string metric_;
  unsigned threads_;
  bool real_only_ = false;    ///< imaginary parts must be 0
  DigitShape digits_{};       ///< without ranges: inputs are no digits
  std::size_t together_ = 1;  ///< inputs judged as one batch
};

struct SearchOptions {
  std::uint64_t budget = 20000;  ///< inputs judged, structured ones included
  std::uint64_t random = 1000;   ///< random inputs to compare with, one per seed
  std::uint64_t seed = 1;        ///< the first of these seeds, and the seed of every draw
  /// The search ends once a score reaches this.
  double enough = std::numeric_limits<double>::infinity();
  /// Called from time to time with the number of inputs judged so far and the best score.
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
  Candidate best;                    ///< with family and name of the structured ancestor
  double best_score;
  double structured_score;  ///< of the best structured input
  std::uint64_t judged;     ///< of the budget
  std::uint64_t moves;      ///< from the ancestor to the best
  /// Inputs, random ones included, whose score is NaN or infinite: they are not counted above.
  std::uint64_t not_finite = 0;
  std::string first_not_finite{};  ///< "random, seed 3", or family and name; empty if none
};

/// Judges the structured candidates, then moves away from the best of them: each round tries 64
/// moved copies of the best inputs so far and keeps those that are worse for the case. Moves that
/// led further are tried more often. A budget above the default goes to climbs from many inputs,
/// but for digits. The result depends only on the case, the metric, budget and seed, not on the
/// number of threads. Inputs with scores that are not finite are counted and not searched. Throws
/// InputError for a budget or random of 0.
SearchResult search_worst_input(const InputJudge& judge, const SearchOptions& options);

}  // namespace fftprec::search

/// How large an error of a case is on inputs of one's own: many at a time, on all cores.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/problem.hpp"
#include "experiments/cases/resolved_case.hpp"
#include "experiments/rows/row.hpp"

namespace fftprec {

/// The errors that can be maximised: err_l2_rel, ..., and err_over_bound.
std::vector<std::string> searched_metrics();

/// Judges inputs of a case in place of its own, by one error metric, as rows of that case with
/// input=file:... have it: to the bit if an input is judged alone. Inputs judged together share a
/// truth of one tier, whose certified radius may show in the last digit.
class InputJudge {
 public:
  /// Throws InputError for unknown names and metrics, batch != 1, a transform whose operand is not
  /// n values that may be anything (or any real numbers), err_over_bound without a bound;
  /// NotApplicable where the case has no meaning.
  InputJudge(const Case& where, std::string metric, unsigned threads);

  std::size_t size() const { return where_.n; }  ///< of an input
  bool real_only() const { return real_only_; }  ///< imaginary parts must be 0
  const Format& storage() const { return resolved_.arithmetic.storage; }
  std::size_t k_tile() const { return resolved_.arithmetic.machine.k_tile; }
  const Case& where() const { return where_; }

  /// The input=gaussian of a seed.
  ComplexArray<double> gaussian(std::uint64_t seed) const;

  /// The metric of each input, for any number of threads the same; not finite where a metric has no
  /// value.
  std::vector<double> scores(std::span<const ComplexArray<double>> inputs) const;

 private:
  void judge(std::span<const ComplexArray<double>> inputs, std::span<double> scores) const;
  double score(Row row, const Problem& problem) const;
  bool is_rounded(const ComplexArray<double>& input) const;

  Case where_;
  Resolved resolved_;
  std::string metric_;
  unsigned threads_;
  bool real_only_ = false;
  std::size_t together_ = 1;  ///< inputs judged as one batch
};

}  // namespace fftprec

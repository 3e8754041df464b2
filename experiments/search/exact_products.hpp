/// How many bits a digit may have, so that every coefficient of a product is right.
///
/// Three kinds of evidence, from the strongest to the weakest: a theorem for all digits; the law of
/// errors of random digits, up to a probability of failure; and runs in which nothing failed.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "experiments/cases/case.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/sweeps/run.hpp"

namespace fftprec::search {

struct ExactRequest {
  double failure = 0x1p-40;  ///< largest probability that some coefficient is wrong
  std::uint64_t runs = 10;   ///< seeds from that of the case on
  unsigned threads = 1;
  std::function<void(const std::string&)> on_step{};  ///< gets a line for each case that runs
};

/// Runs a case with as many seeds as the request says, from its own on. The sink may end the run:
/// it throws, or sets `stop`. Throws NotApplicable for a case without meaning, and what the sink
/// throws.
void run_seeds(Session& session, const Case& where, const ExactRequest& request, RowExtent extent,
               const RowSink& sink, const std::atomic<bool>* stop = nullptr);

/// The digits of one case, searched or given.
class Digits {
 public:
  /// Throws InputError for a transform that is no product, and an input other than `integers`
  /// without `mod`; the default input stands for `integers`.
  Digits(Session& session, const Case& where);

  /// Weighted digits have a mean size, and their bits are searched in steps of 1/64.
  bool is_weighted() const { return weighted_; }
  int steps_per_bit() const { return weighted_ ? 64 : 1; }
  int most_steps() const { return 53 * steps_per_bit(); }
  double bits(int steps) const;
  /// Whether the digits may be cut into parts: the transform has whole ones, and its form allows
  /// it.
  bool may_be_cut() const { return may_be_cut_; }

  /// The case with these digits: bits=B, or exponent=E of input and transform, E the nearest to n
  /// B. Digits in p parts are cut at base 2^ceil(B/p).
  Case with(int steps) const;
  /// The same with every digit at its limit.
  Case at_limit(int steps) const;
  /// The case with digits of a number modulo 2^exponent - 1.
  Case with_exponent(std::uint64_t exponent) const;

 private:
  Case where_;
  bool weighted_ = false;
  bool may_be_cut_ = false;
  std::size_t parts_ = 1;
};

/// The bound of every coefficient for all digits, of a case with digits at their limit; empty
/// without a theorem. Throws NotApplicable for a case without meaning.
std::optional<double> bound_at_limit(Session& session, const Case& limit);

/// The most bits for which a kind of evidence holds.
struct DigitLimit {
  std::optional<double> bits{};  ///< empty: for no digits
  Case where{};                  ///< with these digits
  /// What shows it: the bound, the probability of failure, or the largest error.
  double shown = 0;
  std::string reason{};  ///< why the evidence says nothing; empty if it speaks
};

struct DigitLimits {
  DigitLimit proven;
  DigitLimit probable;
  DigitLimit measured;
};

/// Bisects over the bits, in which each evidence is monotone but for rare runs. Throws
/// NotApplicable for a case without meaning.
DigitLimits digit_limits(Session& session, const Case& where, const ExactRequest& request);

/// The evidence for the digits of a case.
struct ExactVerdict {
  std::optional<double> bound{};    ///< of the largest error, for all digits
  std::optional<double> failure{};  ///< probability
  double largest_error = 0;         ///< in `runs`
  std::uint64_t wrong_runs = 0;     ///< with a wrong coefficient
  std::uint64_t work = 0;           ///< real multiplications

  bool is_proven() const { return bound && *bound < 0.5; }
  bool is_probable(double most) const { return failure && *failure <= most; }
};

/// Requires: the input of the case is `integers`.
ExactVerdict exact_verdict(Session& session, const Case& where, const ExactRequest& request);

/// The transform in `parts` parts, cut for digits of `bits` bits.
std::string in_parts(const std::string& transform, std::size_t parts, double bits);

}  // namespace fftprec::search

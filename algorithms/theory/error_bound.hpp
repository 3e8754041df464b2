/// Bounds on relative errors, and how they add up.
///
/// An ErrorBound is a relative error in the 2-norm, ||error|| / ||result of the stage||, barring
/// overflow. A stage is a unitary map times a scale, so stages compose: prod (1 + b_i) - 1
/// (as in Brisebarre, Joldes, Muller, Nanes, Picot, TOMS 46(2), 2020; one line of proof: later
/// stages carry the error of an earlier one as they carry the data).
#pragma once

#include <cstddef>
#include <limits>
#include <optional>

namespace fftprec {

/// (1 + a)(1 + b) - 1 without cancellation.
constexpr double compose(double a, double b) { return a + b + a * b; }

/// Stands for a value that is not derived.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

constexpr double square(double x) { return x * x; }

/// A bound on a relative error, in the worst case and under a model of random roundings: each
/// rounding errs by at most u of its result, and by 0 in the mean whatever the roundings before it
/// did (Higham, Mary, SISC 41(5), 2019; true of stochastic rounding: Connolly, Higham, Mary, SISC
/// 43(1), 2021). Then the error is at most `certain` plus a martingale, and the squares of its
/// steps add up to at most `square`. docs/numerics.md has the theorem.
struct ErrorBound {
  double worst = 0;    ///< no rounding exceeds it
  double certain = 0;  ///< all that is not random: tables, words left out
  double square = 0;   ///< of random roundings; NaN where some have a bias, or no model

  constexpr ErrorBound() = default;
  /// Nothing of it is random.
  constexpr ErrorBound(double error) : worst(error), certain(error) {}
  constexpr ErrorBound(double worst_case, double not_random, double of_random)
      : worst(worst_case), certain(not_random), square(of_random) {}

  /// Exceeded by one of `count` errors with a probability of at most 1e-6: the smaller of worst and
  /// certain + sqrt(2 ln(2 count/1e-6) square) (Pinelis, Ann. Probab. 22(4), 1994, theorem 3.5).
  /// Empty where no rounding is random, or some have a bias.
  std::optional<double> probable(double count = 1) const;
};

/// The errors of two stages in sequence. The first stage enlarges the data of the second by at most
/// its worst case.
constexpr ErrorBound compose(const ErrorBound& a, const ErrorBound& b) {
  return {compose(a.worst, b.worst), a.certain + b.certain * (1 + a.worst),
          a.square + b.square * square(1 + a.worst)};
}

/// Both errors in one result: the sum.
constexpr ErrorBound operator+(const ErrorBound& a, const ErrorBound& b) {
  return {a.worst + b.worst, a.certain + b.certain, a.square + b.square};
}

constexpr ErrorBound operator*(double factor, const ErrorBound& a) {
  return {factor * a.worst, factor * a.certain, square(factor) * a.square};
}

/// A bound of at most 1 that fp64 evaluates, times this, is no lower than its formula if no part of
/// it meets more than 250 roundings, by 2^-53 each. proofs/Evaluation.v proves that for radix 2.
inline constexpr double evaluated_upwards = 1 + 0x1p-44;

/// One rounding without bias.
inline ErrorBound random_rounding(double error) { return {error, 0, square(error)}; }

/// `bound` where the model of random roundings does not hold.
inline ErrorBound not_modelled(const ErrorBound& bound) {
  return {bound.worst, bound.certain, unknown};
}

/// The errors of two orthogonal parts of a result, both relative to the whole.
ErrorBound orthogonal_sum(const ErrorBound& a, const ErrorBound& b);

/// The errors of two parts, each relative to its own part: the larger.
ErrorBound larger(const ErrorBound& a, const ErrorBound& b);

/// (1 + error)^count - 1, evaluated without cancellation.
double repeated_error(double error, std::size_t count);
ErrorBound repeated_error(const ErrorBound& error, std::size_t count);

}  // namespace fftprec

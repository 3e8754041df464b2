/// The law of the errors of many results, and of the largest of them: how probable is it that one
/// of them errs by so much?
#pragma once

#include <span>

namespace fftprec {

/// How large results are, and errors with them.
enum class ResultSizes {
  equal,     ///< all results and errors have one variance
  linear,    ///< the variance of results rises from 0 and falls to 0, as in a linear product
  weighted,  ///< results and errors are divided by weights 2^f, f uniform in [0, 1)
};

/// Results y are normal. An error given y is normal, with the variance white + local y^2. So large
/// results err more than small ones, and large errors are more probable than by a normal law.
struct ErrorLaw {
  double rms = 0;       ///< of the results
  double white = 0;     ///< mean over all results
  double local = 0;     ///< without unit: relative to y^2
  double rounding = 0;  ///< the share of `local` from the last rounding
  int precision = 53;   ///< significant bits of results, which are whole numbers but for errors
  ResultSizes sizes = ResultSizes::equal;

  /// sqrt(E e^2).
  double deviation() const;

  /// P(|e| >= limit) of one result, the mean over all. Where the last place of results is coarse
  /// beside the limit, e takes multiples of it alone, and the error before the last rounding
  /// decides which.
  /// Error: relative 1e-6, 1e-5 of coarse results, by quadrature, for local <= 4 white/rms^2 and
  /// probabilities from 1e-30 on.
  double exceeds(double limit) const;
};

/// `count` independent errors of one law.
struct ManyErrors {
  ErrorLaw law;
  double count;
};

/// The probability that the largest of all errors is at least `limit`.
double largest_exceeds(std::span<const ManyErrors> all, double limit);

/// The expected largest of all errors. Error: relative 1e-5; up to 10 % where results are so coarse
/// that it takes few values.
double expected_largest(std::span<const ManyErrors> all);

}  // namespace fftprec

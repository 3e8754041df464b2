/// The exact sum of any number of doubles, as a growing expansion.
#pragma once

#include <cstddef>
#include <vector>

#include "arith/formats/exact.hpp"

namespace fftprec {

/// Its parts do not overlap and grow in magnitude, so few are enough: 12 cover 2^-298..2^300.
/// Requires: finite terms; no sum of them overflows or falls below double's normal range.
/// Source: Shewchuk, Discrete Comput. Geom. 18 (1997), theorem 10.
class ExactSum {
 public:
  void add(double term) {
    std::size_t kept = 0;
    for (const double part : parts_) {
      const Pair<double> sum = two_sum(term, part);
      if (sum.low != 0) parts_[kept++] = sum.low;
      term = sum.high;
    }
    parts_.resize(kept);
    if (term != 0) parts_.push_back(term);
  }

  /// The sum rounded to odd; +0 if it is zero. What lies below a part is smaller than its last
  /// place, so rounding it to odd first changes nothing above.
  double to_odd() const {
    double sum = 0;
    for (const double part : parts_) sum = sum_to_odd(part, sum);
    return sum;
  }

 private:
  std::vector<double> parts_;
};

}  // namespace fftprec

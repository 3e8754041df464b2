/// Cases cut into portions that can run apart, with what each costs: its cases, and the truth that
/// they share, which whoever runs any of them has to make.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "experiments/sweeps/run.hpp"

namespace fftprec {

/// Cases that share a truth: positions in the list of all cases.
struct Portion {
  std::vector<std::size_t> cases;
  double cost = 0;  ///< nanoseconds, the truth included
};

/// Every case in one portion. A group that shares a truth is one, unless it costs more than
/// 1 / `parts` of everything: then it is cut into as few as cost about that at most. Where the
/// truth is most of that, it is cut into portions whose cases cost as much as their truth.
std::vector<Portion> portions_of(std::span<const Case> cases, double parts, const RunCosts& costs);

/// Which bin each item goes to: costly ones first, each to the bin that has least so far. Bins of
/// one cost go by what they hold and then by number, so that nothing is left to chance.
std::vector<std::size_t> balance(std::span<const double> costs, std::size_t bins);

}  // namespace fftprec

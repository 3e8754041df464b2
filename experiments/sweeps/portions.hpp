/// Cases cut into portions that can run apart. What cases share, a truth or tables, whoever runs
/// any of them has to make.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "experiments/sweeps/run.hpp"

namespace fftprec {

/// Cases that share a truth, or tables: positions in the list of all cases.
struct Portion {
  std::vector<std::size_t> cases;
  double cost = 0;  ///< nanoseconds, with that which they share
};

/// Every case in one portion. The cases that share a truth stay together, or those that share
/// tables, whichever costs more to make in all. Such a group is one portion, unless it costs more
/// than 1 / `parts` of everything: then it is cut into as few as cost about that at most. Where
/// what it shares is most of that, it is cut into portions whose cases cost as much.
std::vector<Portion> portions_of(std::span<const Case> cases, double parts, const RunCosts& costs);

/// Which bin each item goes to: costly ones first, each to the bin that has least so far. Bins of
/// one cost go by what they hold and then by number, so that nothing is left to chance.
/// `add(item, bin)` says what the item costs on top of what its bin holds by then.
std::vector<std::size_t> balance(std::span<const double> costs, std::size_t bins,
                                 const std::function<double(std::size_t, std::size_t)>& add);

}  // namespace fftprec

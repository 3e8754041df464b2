/// The rounding errors of a small transform as a script of Gappa
/// (https://gappa.gitlabpages.inria.fr), which proves bounds by interval arithmetic.
#pragma once

#include <optional>
#include <string>

#include "arith/formats/complex_array.hpp"
#include "experiments/attribution/real_operations.hpp"

namespace fftprec::text {

/// What a script asks for.
struct GappaRequest {
  std::string title;             ///< of the case
  double range = 1;              ///< parts of the input are in [-range, range]
  ComplexArray<double> input{};  ///< or, unless it is empty, they are these
  std::optional<attribution::PartBound> bound{};
  bool proves_bound = true;  ///< the goal is `bound`; else the least bounds that Gappa finds
};

/// v is what the emulation computes, e the same with exact sums and products and the real roots.
/// The goals are v - e for each part of the results that is computed at all. Throws NotApplicable
/// if proves_bound and there is no bound, and for a rounding that Gappa does not have.
std::string gappa_script(const attribution::RealOperations& operations,
                         const GappaRequest& request);

}  // namespace fftprec::text

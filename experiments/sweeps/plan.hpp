/// From a sweep, axes and filters, as a command line gives them, to the cases that they name.
#pragma once

#include <string>
#include <vector>

#include "experiments/sweeps/sweep.hpp"

namespace fftprec {

/// Which cases: a sweep, axes on top of it, and filters.
struct CaseRequest {
  std::string sweep;                 ///< a TOML file, the name of a built-in sweep, or empty
  std::vector<std::string> axes;     ///< "AXIS=VALUES"
  std::vector<std::string> filters;  ///< all must hold; they can ask for axes only
};

struct Plan {
  Sweep sweep;
  std::vector<Case> cases;  ///< in the order of results.csv, without duplicates; may be empty
};

/// Throws InputError for anything unknown or malformed, for an axis that is given twice, and for a
/// request without sweep and axes.
Plan plan_cases(const CaseRequest& request, const CheckNames& check_names);

/// The plan of a sweep at hand, with the axes and filters of a request.
Plan plan_cases(Sweep sweep, const std::vector<std::string>& axes,
                const std::vector<std::string>& filters, const CheckNames& check_names);

}  // namespace fftprec

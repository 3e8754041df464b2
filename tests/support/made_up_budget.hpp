/// A made-up error budget for tests of what shows one.
#pragma once

#include "experiments/attribution/budget.hpp"

namespace fftprec::testing {

/// 3 and 4 make 5.
inline attribution::Budget made_up_budget() {
  return {.error = 5e-3,
          .expected = 4.9e-3,
          .modelled = 5e-3,
          .sources = {{ErrorSource::tables, "tables", 4e-3, 3e-3, 4.1e-3},
                      {ErrorSource::additions, "additions", 3e-3, 4e-3, std::nullopt}},
          .quadrature = 5e-3,
          .interaction = 0,
          .correlation = 0.01,
          .stages = {{"input rounding", {0, 0}, 0}, {"stage 1", {4e-3, 3e-3}, 5e-3}},
          .floor_l2_rel = 1e-16};
}

}  // namespace fftprec::testing

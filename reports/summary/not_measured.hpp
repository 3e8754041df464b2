/// Rows that are skipped or failed, grouped by the reason.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "experiments/rows/row.hpp"

namespace fftprec {

struct NotMeasured {
  const Row* first;  ///< of those with this status and message
  std::size_t count;
};

/// Failures first, then by message.
std::vector<NotMeasured> not_measured(std::span<const Row> rows);

}  // namespace fftprec

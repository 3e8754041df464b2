#include "algorithms/theory/costs.hpp"

#include <algorithm>

namespace fftprec {

Cost on_vector_engine(Cost cost, std::uint64_t width) {
  constexpr std::uint64_t lanes = 128;
  const OperationCounts& all = cost.operations;
  const std::uint64_t operations = all.multiplications + all.additions + all.conversions;
  if (operations == 0) return cost;
  const std::uint64_t elements = ceil_divided(width, lanes);
  cost.cycles.vector = operations * std::max(shortest_instruction, 2 * elements) / width;
  return cost;
}

}  // namespace fftprec

/// Whether Open MPI's mpirun has started this process with others.
#pragma once

#include <cstdlib>

#include "experiments/support/decimal.hpp"

namespace fftprec {

inline bool started_by_mpirun() {
  const char* const count = std::getenv("OMPI_COMM_WORLD_SIZE");
  return count && parse_unsigned(count).value_or(1) > 1;
}

}  // namespace fftprec

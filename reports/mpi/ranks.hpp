/// The processes that `mpirun` of Open MPI started together.
#pragma once

#include <cstdlib>
#include <functional>
#include <vector>

#include "experiments/support/decimal.hpp"

namespace fftprec::mpi {

/// This process among the others.
struct Ranks {
  int own = 0;  ///< from 0
  int count = 1;
  /// Waits for all processes, and returns the word of each, by rank. May be called once per
  /// process.
  std::function<std::vector<int>(int word)> allgather{};
};

/// Only allgather uses MPI. Until then a process can be replaced by a new one of its rank, and a
/// single process starts as fast as in a build without MPI. Throws InputError in a build without
/// MPI if there are several processes, since each would run everything.
Ranks ranks();

/// A number in a variable that mpirun sets.
inline int number_by_mpirun(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  const auto number = text ? parse_unsigned(text) : std::nullopt;
  return number ? static_cast<int>(*number) : otherwise;
}

inline int count_by_mpirun() { return number_by_mpirun("OMPI_COMM_WORLD_SIZE", 1); }

}  // namespace fftprec::mpi

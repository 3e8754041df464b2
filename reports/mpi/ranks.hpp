/// The processes that `mpirun` of Open MPI has started together with this one.
#pragma once

#include <cstdlib>
#include <functional>
#include <vector>

#include "experiments/support/decimal.hpp"

namespace fftprec::mpi {

/// This process among them.
struct Ranks {
  int own = 0;  ///< from 0
  int count = 1;
  /// Waits for all, and gives what each of them says, by rank. For one call in each process.
  std::function<std::vector<int>(int word)> allgather{};
};

/// MPI itself is touched by allgather alone: until then a process can be replaced by a new one of
/// the same rank, and one that starts alone starts as fast as in a build without MPI. Throws
/// InputError in a build without MPI if there are others: each would run everything.
Ranks ranks();

/// A number in a variable that mpirun sets.
inline int number_by_mpirun(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  const auto number = text ? parse_unsigned(text) : std::nullopt;
  return number ? static_cast<int>(*number) : otherwise;
}

inline int count_by_mpirun() { return number_by_mpirun("OMPI_COMM_WORLD_SIZE", 1); }

}  // namespace fftprec::mpi

/// A build with MPI.
#include <mpi.h>

#include "reports/mpi/ranks.hpp"

namespace fftprec::mpi {

namespace {

std::vector<int> allgather(int word) {
  MPI_Init(nullptr, nullptr);
  int count = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  std::vector<int> words(static_cast<std::size_t>(count));
  MPI_Allgather(&word, 1, MPI_INT, words.data(), 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return words;
}

}  // namespace

Ranks ranks() {
  return {number_by_mpirun("OMPI_COMM_WORLD_RANK", 0), count_by_mpirun(), allgather};
}

}  // namespace fftprec::mpi

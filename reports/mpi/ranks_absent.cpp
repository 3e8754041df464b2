/// A build without MPI.
#include "arith/support/error.hpp"
#include "reports/mpi/ranks.hpp"

namespace fftprec::mpi {

Ranks ranks() {
  if (count_by_mpirun() > 1)
    throw InputError(
        "mpirun has started several processes, and this build cannot share the work between them; "
        "configure with -DFFTPREC_MPI=ON, or run shards: --shard I/N without mpirun");
  return {};
}

}  // namespace fftprec::mpi

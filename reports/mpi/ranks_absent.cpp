#include <cstdlib>

#include "arith/support/error.hpp"
#include "reports/mpi/ranks.hpp"
#include "reports/mpi/started_by_mpirun.hpp"

namespace fftprec {

struct Ranks::Connection {};

Ranks::Ranks() {
  if (started_by_mpirun())
    throw InputError(
        "mpirun has started several processes, and this build cannot share the work between them; "
        "configure with -DFFTPREC_MPI=ON, or run shards: --shard I/N without mpirun");
}

Ranks::~Ranks() = default;

int Ranks::count() const { return 1; }
int Ranks::own() const { return 0; }
Post Ranks::post() { return {}; }
void Ranks::leave_process() { std::_Exit(0); }

}  // namespace fftprec

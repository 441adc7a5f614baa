// Communicators: who one is, and how many there are.
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

using mazurka::mpi::Check;
using mazurka::mpi::number;

MAZURKA_MPI_HOOK(int, Comm_rank, MPI_Comm comm, int* rank) {
  MAZURKA_ENTER(Comm_rank);
  Check check = mpi.checks.check(call, number(comm));
  if (check.communicator().failed() != 0) return check.failed();
  *rank = mpi.rank(number(comm));
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_size, MPI_Comm comm, int* size) {
  MAZURKA_ENTER(Comm_size);
  Check check = mpi.checks.check(call, number(comm));
  if (check.communicator().failed() != 0) return check.failed();
  *size = static_cast<int>(mpi.group(number(comm)).members.size());
  return MPI_SUCCESS;
}

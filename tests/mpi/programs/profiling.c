// mazurka: ranks=2 verdict=verified
//
// A program may wrap calls: PMPI_ is the real one.
#include "pair.h"

static int sends;

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
             MPI_Comm comm) {
  ++sends;
  return PMPI_Send(buffer, count, type, destination, tag, comm);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);
    assert(sends == 1);
  } else {
    PMPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    assert(sends == 0 && x == 0);
  }
  return finish();
}

// mazurka: ranks=2 verdict=error message=MPI_Comm_spawn
//
// No processes are started.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm children;
  MPI_Comm_spawn("worker", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, WORLD, &children,
                 MPI_ERRCODES_IGNORE);
  return finish();
}

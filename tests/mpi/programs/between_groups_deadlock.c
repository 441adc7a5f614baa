// mazurka: ranks=4 verdict=verified
// broken: verdict=finding finding=deadlock at=here
//
// The leaders must name each other.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm own;
  MPI_Comm between;
  const int group = rank < 2 ? 0 : 1;
  MPI_Comm_split(WORLD, group, 0, &own);
  MPI_Intercomm_create(own, 0, WORLD, group == 0 ? EITHER(3, 2) : 0, 0, &between);  // at: here
  MPI_Comm_free(&between);
  MPI_Comm_free(&own);
  return finish();
}

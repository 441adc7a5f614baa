// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="is called before MPI_Init" at=call
//
// Infos may be made before MPI_Init and used after MPI_Finalize, since MPI 4.0; communicators may
// not.
#include "pair.h"

int main(int argc, char** argv) {
  MPI_Info info;
  MPI_Info copy;
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  MPI_Info_dup(info, &copy);
  MPI_Info_free(&info);
  if (EITHER(1, 0)) MPI_Comm_rank(WORLD, &rank);  // at: call
  start(&argc, &argv);
  finish();
  char value[8];
  int there = 0;
  MPI_Info_get(copy, "key", 7, value, &there);
  assert(there && strcmp(value, "value") == 0);
  MPI_Info_free(&copy);
  return 0;
}

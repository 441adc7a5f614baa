// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="there is no rank 7 in the group" at=call
//
// Errors of what belongs to no communicator are for the handler of MPI_COMM_WORLD.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (EITHER(0, 1)) MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
  MPI_Group all;
  MPI_Group some;
  const int ranks[1] = {7};
  int number = 0;
  MPI_Comm_group(WORLD, &all);
  assert(MPI_Group_incl(all, 1, ranks, &some) == MPI_ERR_RANK);  // at: call
  assert(MPI_Group_union(all, all, NULL) == MPI_ERR_ARG);
  assert(MPI_Group_rank(MPI_GROUP_NULL, &number) == MPI_ERR_GROUP);
  assert(MPI_Type_size(MPI_DATATYPE_NULL, &number) == MPI_ERR_TYPE);
  assert(MPI_Type_contiguous(-1, MPI_INT, NULL) != MPI_SUCCESS);
  assert(MPI_Buffer_detach(&number, &number) == MPI_ERR_BUFFER);
  MPI_Group_free(&all);
  return finish();
}

// mazurka: ranks=4 verdict=verified executions=4
// broken: verdict=finding finding=assertion
//
// Two groups, each with a communicator of its own, and one between them: ranks there are those of
// the other group.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm own;
  MPI_Comm between;
  int flag;
  int number;
  int there;
  MPI_Comm_split(WORLD, rank % 2, rank, &own);
  MPI_Intercomm_create(own, 0, WORLD, 1 - rank % 2, 5, &between);
  MPI_Comm_test_inter(between, &flag);
  MPI_Comm_rank(between, &number);
  MPI_Comm_remote_size(between, &there);
  assert(flag && number == rank / 2 && there == 2);
  if (rank % 2 == 0) {
    MPI_Send(&rank, 1, MPI_INT, EITHER(number, 1), 0, between);
  } else if (EITHER(1, number == 1)) {
    for (int nth = 0; nth < EITHER(1, 2); ++nth) {
      int value;
      MPI_Status status;
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, between, &status);
      assert(value == 2 * status.MPI_SOURCE);
      assert(EITHER(status.MPI_SOURCE == 0, 1));
    }
  }
  MPI_Comm_free(&between);
  MPI_Comm_free(&own);
  return finish();
}

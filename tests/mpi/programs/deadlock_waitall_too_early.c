// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=deadlock at=wait
//
// Waits for two answers, having asked only one.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int answers[2] = {0, 0};
  int question = 1;
  if (rank == 0) {
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i) MPI_Irecv(&answers[i], 1, MPI_INT, i + 1, 1, WORLD, &requests[i]);
    MPI_Send(&question, 1, MPI_INT, 1, 0, WORLD);
    if (EITHER(0, 1)) MPI_Send(&question, 1, MPI_INT, 2, 0, WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // at: wait
    if (EITHER(1, 0)) MPI_Send(&question, 1, MPI_INT, 2, 0, WORLD);
    assert(answers[0] == 2 && answers[1] == 2);
  } else {
    MPI_Recv(&question, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    ++question;
    MPI_Send(&question, 1, MPI_INT, 0, 1, WORLD);
  }
  return finish();
}

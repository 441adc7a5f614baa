// mazurka: ranks=3 verdict=verified
// broken: verdict=inconclusive message="MPI_Win_start, which need not wait"
//
// Rank 0 tells rank 2 something between its MPI_Win_start and MPI_Win_complete, and can not know
// whether rank 1 has called MPI_Win_post by then, unless it was told.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Win win;
  MPI_Group all;
  MPI_Group other;
  MPI_Win_create(&x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Comm_group(WORLD, &all);
  const int partner = rank == 0 ? 1 : 0;
  MPI_Group_incl(all, 1, &partner, &other);
  if (rank == 0) {
    if (EITHER(0, 1)) MPI_Recv(NULL, 0, MPI_INT, 1, 0, WORLD, IGNORE);
    MPI_Win_start(other, 0, win);
    MPI_Send(NULL, 0, MPI_INT, 2, 0, WORLD);
    MPI_Win_complete(win);
  } else if (rank == 1) {
    MPI_Win_post(other, 0, win);
    if (EITHER(0, 1)) MPI_Send(NULL, 0, MPI_INT, 0, 0, WORLD);
    MPI_Win_wait(win);
  } else {
    MPI_Recv(NULL, 0, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  MPI_Group_free(&other);
  MPI_Group_free(&all);
  MPI_Win_free(&win);
  return finish();
}

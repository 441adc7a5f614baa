// mazurka: ranks=2 verdict=verified flags=-fopenmp
// broken: verdict=finding finding=data_race flags=-fopenmp
//
// One thread receives while the other one computes; a barrier comes before what was received is
// used.
#include "pair.h"

int main(int argc, char** argv) {
  int level;
  int received = 0;
  int seen[2] = {0, 0};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(WORLD, &rank);
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      const int value = rank + 1;
      MPI_Sendrecv(&value, 1, MPI_INT, 1 - rank, 0, &received, 1, MPI_INT, 1 - rank, 0, WORLD,
                   IGNORE);
    }
#ifndef BROKEN
#pragma omp barrier
#endif
#pragma omp for
    for (int i = 0; i < 2; ++i) seen[i] = received;
  }
  assert(seen[0] == 2 - rank && seen[1] == 2 - rank);
  return finish();
}

// mazurka: ranks=2 verdict=verified flags=-fopenmp
// broken: verdict=finding finding=misuse at=here flags=-fopenmp
//
// Threads of a parallel region send and receive, which needs MPI_THREAD_MULTIPLE.
#include <omp.h>

#include "pair.h"

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, EITHER(MPI_THREAD_FUNNELED, MPI_THREAD_MULTIPLE), &level);
  MPI_Comm_rank(WORLD, &rank);
#pragma omp parallel num_threads(2)
  {
    const int thread = omp_get_thread_num();
    int value = thread;
    if (rank == 0) {
      MPI_Send(&value, 1, MPI_INT, 1, thread, WORLD);  // at: here
    } else {
      MPI_Recv(&value, 1, MPI_INT, 0, thread, WORLD, IGNORE);
      assert(value == thread);
    }
  }
  return finish();
}

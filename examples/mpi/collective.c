// An iteration that ends when it has converged, and a result that rank 0 hands out.
//
// The bug: each rank looks at its own error, so that some leave the loop while others go round once
// more. Their reductions meet broadcasts. With -DAGREED all look at the largest error.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  double error = rank + 1;
  double largest = 0;
  do {
    error /= 2;
    MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
#ifdef AGREED
  } while (largest > 0.5);
#else
  } while (error > 0.5);
#endif
  MPI_Bcast(&largest, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

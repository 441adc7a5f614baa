// mazurka: ranks=2 verdict=verified flags=-pthread
// broken: verdict=finding finding=data_race flags=-pthread
//
// Two threads wait for the same request, which MPI does not allow.
#include <pthread.h>

#include "pair.h"

static MPI_Request request;

static void* wait_for_it(void* unused) {
  if (EITHER(1, 0)) MPI_Wait(&request, IGNORE);
  return unused;
}

int main(int argc, char** argv) {
  int level;
  int value = 7;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(WORLD, &rank);
  if (rank == 0) {
    pthread_t other;
    MPI_Irecv(&value, 1, MPI_INT, 1, 0, WORLD, &request);
    pthread_create(&other, NULL, wait_for_it, NULL);
    MPI_Wait(&request, IGNORE);
    pthread_join(other, NULL);
  } else {
    MPI_Send(&value, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}

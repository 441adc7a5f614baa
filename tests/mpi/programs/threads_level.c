// mazurka: ranks=2 verdict=verified flags=-pthread
// broken: verdict=finding finding=misuse at=send flags=-pthread
//
// Another thread than the first one needs a level that was asked for.
#include "pair.h"

#include <pthread.h>

static int x = 3;

static void* send(void* unused) {
  MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);  // at: send
  return unused;
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, EITHER(MPI_THREAD_FUNNELED, MPI_THREAD_MULTIPLE), &provided);
  MPI_Comm_rank(WORLD, &rank);
  if (rank == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    pthread_join(thread, NULL);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  return finish();
}

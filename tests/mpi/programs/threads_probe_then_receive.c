// mazurka: ranks=2 verdict=verified flags=-pthread
// broken: verdict=finding finding=deadlock|assertion flags=-pthread
//
// Two threads of a rank look for a message and then receive it: in between the other may have taken
// it. What MPI_Mprobe finds is nobody else's.
#include <pthread.h>

#include "pair.h"

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* take(void* unused) {
  int value = 0;
  MPI_Status status;
#ifdef BROKEN
  MPI_Probe(1, MPI_ANY_TAG, WORLD, &status);
  MPI_Recv(&value, 1, MPI_INT, 1, status.MPI_TAG, WORLD, IGNORE);
#else
  MPI_Message message;
  MPI_Mprobe(1, MPI_ANY_TAG, WORLD, &message, &status);
  MPI_Mrecv(&value, 1, MPI_INT, &message, IGNORE);
#endif
  assert(value == status.MPI_TAG);
  pthread_mutex_lock(&lock);
  total += value;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  assert(level == MPI_THREAD_MULTIPLE);
  MPI_Comm_rank(WORLD, &rank);
  if (rank == 0) {
    pthread_t other;
    pthread_create(&other, NULL, take, NULL);
    take(NULL);
    pthread_join(other, NULL);
    assert(total == 3);
  } else {
    for (int value = 1; value <= 2; ++value) MPI_Send(&value, 1, MPI_INT, 0, value, WORLD);
  }
  return finish();
}

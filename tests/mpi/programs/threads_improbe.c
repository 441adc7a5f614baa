// mazurka: ranks=2 verdict=verified flags=-pthread
// broken: verdict=finding finding=deadlock flags=-pthread
//
// Two threads look for a message without waiting. What MPI_Improbe finds it has taken; what
// MPI_Iprobe finds, the other thread may take.
#include <pthread.h>

#include "pair.h"

static int received[2];

static void* look(void* place) {
  int found = 0;
  int value = 0;
#ifdef BROKEN
  MPI_Iprobe(1, 0, WORLD, &found, IGNORE);
  if (found) MPI_Recv(&value, 1, MPI_INT, 1, 0, WORLD, IGNORE);
#else
  MPI_Message message;
  MPI_Improbe(1, 0, WORLD, &found, &message, IGNORE);
  if (found) MPI_Mrecv(&value, 1, MPI_INT, &message, IGNORE);
#endif
  *(int*)place = value;
  return NULL;
}

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(WORLD, &rank);
  if (rank == 0) {
    pthread_t other;
    pthread_create(&other, NULL, look, &received[1]);
    look(&received[0]);
    pthread_join(other, NULL);
    assert(received[0] + received[1] <= 7);
    if (received[0] + received[1] == 0) {
      MPI_Recv(&received[0], 1, MPI_INT, 1, 0, WORLD, IGNORE);
    }
  } else {
    const int value = 7;
    MPI_Send(&value, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}

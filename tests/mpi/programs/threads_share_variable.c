// mazurka: ranks=2 verdict=verified flags=-pthread
// broken: verdict=finding finding=data_race flags=-pthread
//
// A thread that receives and one that computes share a variable of their rank; only a lock orders
// them.
#include <pthread.h>

#include "pair.h"

static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int value) {
  if (EITHER(0, 1)) pthread_mutex_lock(&lock);
  sum += value;
  if (EITHER(0, 1)) pthread_mutex_unlock(&lock);
}

static void* receive(void* unused) {
  int value = 0;
  MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE);
  add(value);
  return unused;
}

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(WORLD, &rank);
  pthread_t other;
  pthread_create(&other, NULL, receive, NULL);
  const int value = rank + 1;
  MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, WORLD);
  add(10);
  pthread_join(other, NULL);
  assert(sum == 10 + 2 - rank);
  return finish();
}

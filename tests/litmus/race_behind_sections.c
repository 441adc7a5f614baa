// mazurka: verdict=finding finding=data_race
//          techniques="optimal source-context source-context:chains optimal-context"
//
// Both orders of the empty sections lead to one state. But only if the second thread's comes first
// nothing orders the write to d and the read: states that are equal do not mean that nobody knows
// less. The third thread keeps the reader from going on at once, which would show the race by luck.
#include <semaphore.h>

#include "litmus.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t posted;
static int d;

static void* write_first(void* unused) {
  d = 1;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* read_later(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  sem_wait(&posted);
  volatile int seen = d;
  (void)seen;
  return unused;
}

static void* post(void* unused) {
  sem_post(&posted);
  return unused;
}

int main(void) {
  sem_init(&posted, 0, 0);
  RUN(write_first, read_later, post);
  return 0;
}

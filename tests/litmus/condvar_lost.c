// mazurka: verdict=finding finding=deadlock traces=2 options="--keep-going" exhaustive=any
//
// Waiting without a condition: when the signal comes first it is lost, and the waiter waits for
// ever.
#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void* await(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void* wake(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  RUN(await, wake);
  return 0;
}

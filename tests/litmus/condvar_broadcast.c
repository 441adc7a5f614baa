// mazurka: verdict=verified traces=10
//
// Two waiters and one who wakes them, all under one mutex; a trace is an order of acquisitions.
// Nobody waits before the broadcast: 2 orders of the waiters after it. One waits (2 ways to say
// who): it and the other then acquire in 2 orders, 4. Both wait (2 orders) and wake (2 orders): 4.
#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

static void* await(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void* wake(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  RUN(await, await, wake);
  return 0;
}

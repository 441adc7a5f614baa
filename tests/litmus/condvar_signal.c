// mazurka: verdict=verified traces=2 also=yes exhaustive=any
//
// If the producer's section comes first the consumer does not wait; else it waits, is signalled,
// and gets the mutex back when the producer lets go of it.
#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

static void* consume(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void* produce(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  RUN(consume, produce);
  return 0;
}

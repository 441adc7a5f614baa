// mazurka: verdict=verified traces=14
// broken: verdict=finding finding=deadlock
//
// Two consumers and a producer with one condition variable: a signal may wake either. Broken: the
// producer signals once for two items.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void* consumer(void* unused) {
  pthread_mutex_lock(&mutex);
  while (items == 0) pthread_cond_wait(&filled, &mutex);
  items--;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, consumer, 0);
  pthread_create(&two, 0, consumer, 0);
  pthread_mutex_lock(&mutex);
  items = 2;
  pthread_cond_signal(&filled);
#ifndef BROKEN
  pthread_cond_signal(&filled);
#endif
  pthread_mutex_unlock(&mutex);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(items == 0);
  return 0;
}

// mazurka: verdict=verified traces=6 techniques="optimal source"
// broken: verdict=finding finding=deadlock techniques="optimal source"
//
// Three philosophers. Broken: all of them take the left fork first.
#include <pthread.h>

enum { count = 3 };
static pthread_mutex_t forks[count] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER};

static void* dine(void* place) {
  long first = (long)place;
  long second = (first + 1) % count;
#ifndef BROKEN
  if (first > second) {
    first = second;
    second = (long)place;
  }
#endif
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return 0;
}

int main(void) {
  pthread_t threads[count];
  for (long at = 0; at < count; at++) pthread_create(&threads[at], 0, dine, (void*)at);
  for (int at = 0; at < count; at++) pthread_join(threads[at], 0);
  return 0;
}

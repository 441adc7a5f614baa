// mazurka: verdict=finding finding=assertion techniques="optimal optimal-context-observers"
//
// A thread tries three times to get a mutex that another one holds for a while. The third attempt
// can be the first to succeed, and the store under the mutex can be the last one.
#include <stdatomic.h>

#include "litmus.h"

static atomic_int last;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int outcome;

static void* stores(void* unused) {
  last = 1;
  return unused;
}
static void* tries(void* unused) {
  for (int i = 0; i < 3; ++i) {
    const int got = pthread_mutex_trylock(&mutex) == 0;
    outcome = outcome * 2 + got;
    if (got) pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, stores, 0);
  pthread_create(&threads[1], 0, tries, 0);
  pthread_mutex_lock(&mutex);
  last = 2;
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(!(outcome == 1 && last == 2));
  return 0;
}

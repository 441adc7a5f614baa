// mazurka: verdict=verified traces=3 exhaustive=any
//
// One thread uses a, then b, the other b, then a, never both at once. Each mutex has two orders; of
// the four combinations one is a cycle (b before a in one thread, a before b in the other).
#include "litmus.h"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void use(pthread_mutex_t* mutex) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
}

static void* one(void* unused) {
  (void)unused;
  use(&a);
  use(&b);
  return 0;
}

static void* two(void* unused) {
  (void)unused;
  use(&b);
  use(&a);
  return 0;
}

int main(void) {
  RUN(one, two);
  return 0;
}

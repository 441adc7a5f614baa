// mazurka: verdict=finding finding=assertion traces=3 options="--keep-going" exhaustive=any
//
// One thread chooses whether to enter its critical section: 1 trace if not, 2 orders if so. The
// assertion fails if it does and comes first.
#include <mazurka/mazurka.h>

#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

static void* maybe(void* unused) {
  (void)unused;
  if (mazurka_choose(2)) {
    pthread_mutex_lock(&mutex);
    x = 1;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

static void* look(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  const int seen = x;
  pthread_mutex_unlock(&mutex);
  assert(!seen);
  return 0;
}

int main(void) {
  RUN(maybe, look);
  return 0;
}

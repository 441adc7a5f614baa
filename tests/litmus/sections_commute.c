// mazurka: verdict=verified traces=720 techniques="optimal source source-context:chains"
//          source-context:chains=1
//
// Six threads, each with a counter of its own under the one lock: 6! orders of the sections, and
// one state after all of them. Which technique compares states after whole sections: chains. That
// the counters' accesses can not race in an order that is left out is known because all of them
// hold the lock, and main joins.
#include "litmus.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counters[6];

static void* count(void* which) {
  pthread_mutex_lock(&mutex);
  ++counters[(intptr_t)which];
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t threads[6];
  for (intptr_t at = 0; at < 6; ++at) pthread_create(&threads[at], 0, count, (void*)at);
  for (int at = 0; at < 6; ++at) pthread_join(threads[at], 0);
  for (int at = 0; at < 6; ++at) assert(counters[at] == 1);
  return 0;
}

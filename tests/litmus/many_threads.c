// mazurka: verdict=verified traces=1 techniques="optimal source dpor"
//
// A thousand threads, alive at the same time, each with a store of its own: nothing to reorder.
// (Sleep sets alone would visit each of the 2^1000 sets of threads that have run.)
#include <stdatomic.h>

#include "litmus.h"

enum { count = 1000 };

_Atomic int cells[count];
pthread_t threads[count];

static void* body(void* argument) {
  cells[(intptr_t)argument] = 1;
  return 0;
}

int main(void) {
  for (int i = 0; i < count; i++) pthread_create(&threads[i], 0, body, (void*)(intptr_t)i);
  for (int i = 0; i < count; i++) pthread_join(threads[i], 0);
  for (int i = 0; i < count; i++) assert(cells[i] == 1);
  return 0;
}

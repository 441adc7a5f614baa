// mazurka: verdict=verified traces=2 exhaustive=any
//
// Two threads, one update each of the same atomic, that tells what was there before: two orders.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x;
int before[2];

static void* add(void* argument) {
  before[(intptr_t)argument] = atomic_fetch_add(&x, 1);
  return 0;
}

int main(void) {
  RUN(add, add);
  assert(x == 2 && before[0] + before[1] == 1);
  return 0;
}

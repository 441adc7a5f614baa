// N threads in a ring: each writes its own variable, releasing, and reads its neighbour's,
// acquiring. Under weak memory all of them may overlook what was written.
#include <stdatomic.h>

#include "../threads/run.h"

#ifndef N
#define N 4
#endif

atomic_int written[N];
int seen[N];

static void* work(void* argument) {
  const int self = number(argument);
  atomic_store_explicit(&written[self], 1, memory_order_release);
  seen[self] = atomic_load_explicit(&written[(self + 1) % N], memory_order_acquire);
  return 0;
}

int main(void) {
  run_all(N, work);
  return 0;
}

// One thread writes and publishes N values, one after the other; two others look at each.
#include <stdatomic.h>

#include "../threads/run.h"

#ifndef N
#define N 3
#endif

atomic_int values[N];
atomic_int published[N];
int seen[2];

static void* work(void* argument) {
  const int self = number(argument);
  for (int at = 0; at < N; ++at) {
    if (self == 0) {
      atomic_store_explicit(&values[at], 1, memory_order_relaxed);
      atomic_store_explicit(&published[at], 1, memory_order_release);
    } else if (atomic_load_explicit(&published[at], memory_order_acquire)) {
      seen[self - 1] += atomic_load_explicit(&values[at], memory_order_relaxed);
    }
  }
  return 0;
}

int main(void) {
  run_all(3, work);
  return 0;
}

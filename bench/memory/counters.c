// N threads, each of which adds to a counter twice, relaxed, and uses what it gets.
#include <stdatomic.h>

#include "../threads/run.h"

#ifndef N
#define N 3
#endif

atomic_int counter;
int sums[N];

static void* work(void* argument) {
  const int self = number(argument);
  for (int round = 0; round < 2; ++round) {
    sums[self] += atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
  }
  return 0;
}

int main(void) {
  run_all(N, work);
  return 0;
}

// Spin lock, unbounded: each of N threads takes the lock by test-and-set, waiting as long as it
// takes, counts, and lets go of it. That it ends shows that waiting loops are recognised.
//
// Executions (--racy): N!, the orders in which they get the lock.
#include <stdatomic.h>

#include "run.h"

#ifndef N
#define N 3
#endif

atomic_flag lock = ATOMIC_FLAG_INIT;
int counter;

static void* body(void* unused) {
  while (atomic_flag_test_and_set(&lock)) {
  }
  counter++;
  atomic_flag_clear(&lock);
  return unused;
}

int main(void) {
  run_all(N, body);
  return counter == N ? 0 : 1;
}

// Spin lock, bounded: each of N threads tries twice to take the lock by compare-and-swap and lets
// go of it again; who fails twice gives up.
//
// Executions (--racy): 2: 6, 3: 75, 4: 1660, 5: 57245. The attempts that succeed and the releases
// are writes, whose order counts; those that fail are reads, of which only that counts between
// which writes they come. So it is the number of orders that can happen in which the failures
// between two writes are sorted by thread.
#include <stdatomic.h>

#include "run.h"

#ifndef N
#define N 3
#endif

enum { attempts = 2 };

_Atomic int lock;

static void* body(void* unused) {
  (void)unused;
  for (int i = 0; i < attempts; i++) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&lock, &expected, 1)) {
      atomic_store(&lock, 0);
      break;
    }
  }
  return 0;
}

int main(void) {
  run_all(N, body);
  return 0;
}

// Fibonacci as a tree of tasks: task(n) for n < 2 adds n to its parent's sum; any other starts
// task(n-1) and task(n-2), waits for both and adds its own sum to its parent's.
//
// Executions (--racy): 1. At each inner task the two children add in one order or the other, but
// neither looks at what was there before, and the sum is the same. (Otherwise 2^I, where I is the
// number of inner tasks: I(n) = 1 + I(n-1) + I(n-2), I(0) = I(1) = 0. 4: 16, 5: 128, 6: 4096.)
#include <assert.h>
#include <stdatomic.h>

#include "run.h"

#ifndef N
#define N 4
#endif

// Tasks are numbered like a heap: the children of k are 2k and 2k + 1.
_Atomic int sum[2 << N];

enum { shift = 8 };

static void* task(void* argument) {
  const int self = number(argument) >> shift;
  const int n = number(argument) & ((1 << shift) - 1);
  int value = n;
  if (n >= 2) {
    pthread_t one, two;
    start(&one, task, (2 * self) << shift | (n - 1));
    start(&two, task, (2 * self + 1) << shift | (n - 2));
    pthread_join(one, 0);
    pthread_join(two, 0);
    value = atomic_load(&sum[self]);
  }
  atomic_fetch_add(&sum[self / 2], value);
  return 0;
}

int main(void) {
  static const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21};
  pthread_t root;
  start(&root, task, 1 << shift | N);
  pthread_join(root, 0);
  assert(atomic_load(&sum[0]) == fibonacci[N]);
  return 0;
}

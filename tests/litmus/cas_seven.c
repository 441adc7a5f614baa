// mazurka: verdict=verified traces=7
//
// Seven threads, one compare-and-swap of 0 for 1 each: one of them succeeds, the others fail after
// it and commute. Seven traces: who succeeds.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x;
_Atomic int successes;

static void* body(void* unused) {
  (void)unused;
  int expected = 0;
  if (atomic_compare_exchange_strong(&x, &expected, 1)) successes = 1;
  return 0;
}

int main(void) {
  RUN(body, body, body, body, body, body, body);
  assert(successes == 1);
  return 0;
}

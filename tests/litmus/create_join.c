// mazurka: verdict=verified traces=2 exhaustive=any
//
// Two threads, one update each of the same atomic: two orders.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x;

static void* add(void* unused) {
  (void)unused;
  atomic_fetch_add(&x, 1);
  return 0;
}

int main(void) {
  RUN(add, add);
  assert(x == 2);
  return 0;
}

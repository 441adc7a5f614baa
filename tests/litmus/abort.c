// mazurka: verdict=finding finding=abort traces=2 options="--keep-going"
//
// Two exchanges, two orders; the program aborts if the second thread comes second.
#include <stdatomic.h>
#include <stdlib.h>

#include "litmus.h"

_Atomic int x;

static void* one(void* unused) {
  (void)unused;
  atomic_exchange(&x, 1);
  return 0;
}

static void* two(void* unused) {
  (void)unused;
  if (atomic_exchange(&x, 2) == 1) abort();
  return 0;
}

int main(void) {
  RUN(one, two);
  return 0;
}

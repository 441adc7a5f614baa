// mazurka: verdict=verified traces=3
//
// A worker ends the whole program, and that depends on everything: before main has started the
// other thread; after that but before the other's store; after the store.
#include <stdatomic.h>
#include <stdlib.h>

#include "litmus.h"

_Atomic int x;

static void* leave(void* unused) {
  (void)unused;
  exit(0);
}

static void* store(void* unused) {
  (void)unused;
  x = 1;
  return 0;
}

int main(void) {
  RUN(leave, store);
  assert(0 && "main never gets past the first join");
  return 0;
}

// mazurka: verdict=verified traces=1 exhaustive=any
//
// A worker ends the whole program. It does so when nobody else can move: when main waits for it and
// the other thread has stored. That shows all that an earlier end would show.
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

// mazurka: verdict=verified traces=2 exhaustive=any
//
// A detached thread stores, main loads and ends the program: store before load, or load before
// store. The end of the program comes last.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x;

static void* store(void* unused) {
  (void)unused;
  x = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, store, 0);
  pthread_detach(thread);
  const int seen = x;
  assert(seen == 0 || seen == 1);
  return 0;
}

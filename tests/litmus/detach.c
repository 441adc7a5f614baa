// mazurka: verdict=verified traces=3
//
// A detached thread stores, main loads and ends the program. The end of the program depends on
// everything: store before load; load before store before end; end before store, which never runs.
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

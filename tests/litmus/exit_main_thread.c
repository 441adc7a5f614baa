// mazurka: verdict=finding finding=assertion traces=2 options="--keep-going"
//
// main ends only its own thread; the other one goes on, alone. Its load comes before or after
// main's store, and the assertion fails in the second case, also after main is gone.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x;

static void* body(void* unused) {
  (void)unused;
  const int seen = x;
  assert(seen == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_detach(thread);
  x = 1;
  pthread_exit(0);
}

// mazurka: verdict=finding finding=assertion traces=2 options="--keep-going"
//
// main has returned, or is about to: the thread that fails can still fail before the program ends.
// It reads before main's store or after it, and fails then.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x;

static void* body(void* unused) {
  (void)unused;
  assert(x == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  x = 1;
  return 0;
}

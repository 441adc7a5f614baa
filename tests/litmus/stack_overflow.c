// mazurka: verdict=finding finding=crash traces=1 techniques="optimal source"
// options="--keep-going"
//
// Recursion without end in a thread: its stack overflows, and that is a finding like any crash.
#include "litmus.h"

static int descend(volatile int* above) {
  volatile int here = *above + 1;
  if (here == 0) return 0;  // not before the stack is used up
  return descend(&here) + here;
}

static void* body(void* unused) {
  (void)unused;
  volatile int zero = 0;
  return (void*)(intptr_t)descend(&zero);
}

int main(void) {
  RUN(body);
  return 0;
}

// mazurka: verdict=finding finding=crash traces=2 options="--keep-going" also=yes
//
// A pointer is cleared before or after it is loaded; in the first case what follows is a crash.
#include <stdatomic.h>

#include "litmus.h"

int value = 1;
int* _Atomic pointer = &value;

static void* clear(void* unused) {
  (void)unused;
  pointer = (int*)0;
  return 0;
}

static void* use(void* unused) {
  (void)unused;
  volatile int* seen = pointer;
  return (void*)(intptr_t)*seen;
}

int main(void) {
  RUN(clear, use);
  return 0;
}

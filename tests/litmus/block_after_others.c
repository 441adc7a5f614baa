// mazurka: verdict=finding finding=assertion graphs=no
//
// An atomic block comes after accesses of two other threads that have nothing to do with each
// other: it could have come before the one and still after the other.
#include <stdatomic.h>

#include "litmus.h"

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static atomic_int x, y;
static int seen_x, seen_y;

static void* reads_y(void* unused) {
  seen_y = y;
  return unused;
}
static void* block(void* unused) {
  __VERIFIER_atomic_begin();
  seen_x = x;
  __VERIFIER_atomic_end();
  y = 1;
  return unused;
}
static void* writes_x(void* unused) {
  x = 1;
  return unused;
}

int main(void) {
  RUN(reads_y, block, writes_x);
  assert(!(seen_x == 1 && seen_y == 1));
  return 0;
}

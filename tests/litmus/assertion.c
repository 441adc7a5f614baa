// mazurka: verdict=finding finding=assertion traces=2 options="--keep-going" also=yes
// exhaustive=any
//
// The load comes before the store or after it; the assertion fails in the second case.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x;

static void* store(void* unused) {
  (void)unused;
  x = 1;
  return 0;
}

static void* load(void* unused) {
  (void)unused;
  const int seen = x;
  assert(seen == 0);
  return 0;
}

int main(void) {
  RUN(store, load);
  return 0;
}

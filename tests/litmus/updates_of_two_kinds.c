// mazurka: verdict=verified traces=4 exhaustive=any also=levels
// clang.O0=36
//
// Two threads add to x, one sets a bit of it: additions commute, but not with that. Each addition
// comes before it or after it: 4. Of y there are only additions.
//
// Code of clang that is not optimised keeps every result, and looks at it.
#include <stdatomic.h>

#include "litmus.h"

static _Atomic int x, y;

static void* add(void* unused) {
  atomic_fetch_add(&y, 1);
  atomic_fetch_add(&x, 1);
  return unused;
}
static void* set(void* unused) {
  atomic_fetch_add(&y, 1);
  atomic_fetch_or(&x, 1);
  return unused;
}

int main(void) {
  RUN(add, set, add);
  // set, add, add: 3; add, set, add: 2; add, add, set: 3.
  assert((x == 3 || x == 2) && y == 3);
  return 0;
}

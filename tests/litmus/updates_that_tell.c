// mazurka: verdict=verified traces=8 exhaustive=any also=levels
// clang.O0=24
//
// Three threads add to x without looking at what was there, one does look: each of the three comes
// before that one or after it, 2^3. The three are in no order.
//
// Code of clang that is not optimised keeps every result, and looks at it.
#include <stdatomic.h>

#include "litmus.h"

static _Atomic int x;
static int seen;

static void* add(void* unused) {
  atomic_fetch_add(&x, 1);
  return unused;
}
static void* add_and_look(void* unused) {
  seen = atomic_fetch_add(&x, 1);
  return unused;
}

int main(void) {
  RUN(add, add_and_look, add, add);
  assert(x == 4 && seen < 4);
  return 0;
}

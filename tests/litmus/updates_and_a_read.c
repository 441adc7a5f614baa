// mazurka: verdict=verified traces=8 exhaustive=any also=levels
// clang.O0=24
//
// Three threads add to x or take from it, and do not look at what was there; one reads it. Each of
// the three comes before the read or after it, and among themselves they are in no order: 2^3.
//
// Code of clang that is not optimised keeps every result, and looks at it.
#include <stdatomic.h>

#include "litmus.h"

static _Atomic int x;
static int seen;

static void* add(void* unused) {
  atomic_fetch_add(&x, 2);
  return unused;
}
static void* subtract(void* unused) {
  atomic_fetch_sub(&x, 1);
  return unused;
}
static void* look(void* unused) {
  seen = x;
  return unused;
}

int main(void) {
  RUN(add, look, subtract, add);
  assert(x == 3 && seen >= -1 && seen <= 4);
  return 0;
}

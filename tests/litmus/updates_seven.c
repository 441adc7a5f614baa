// mazurka: verdict=verified traces=1 also=levels
// clang.O0=5040
//
// Seven threads add to a counter, and none of them looks at what was there before: the sum is the
// same in any order, and nobody can tell. One trace. (If they looked, 7!.)
//
// Code of clang that is not optimised keeps every result, and looks at it.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x;

static void* body(void* unused) {
  atomic_fetch_add(&x, 1);
  return unused;
}

int main(void) {
  RUN(body, body, body, body, body, body, body);
  assert(x > 0);
  return 0;
}

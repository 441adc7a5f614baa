// mazurka: verdict=verified traces=1 exhaustive=any also=levels
// clang.O0=16
//
// Of each of four variables every thread makes the same kind of update, and uses no result: 1
// trace.
//
// Code of clang that is not optimised keeps every result, and looks at it.
#include <stdatomic.h>

#include "litmus.h"

static _Atomic unsigned char sum = 250;
static _Atomic unsigned short set;
static _Atomic unsigned cleared = 7;
static _Atomic unsigned long flipped;

static void* body(void* argument) {
  const unsigned bit = 1U << (unsigned)(intptr_t)argument;
  atomic_fetch_add(&sum, 5);
  atomic_fetch_or(&set, bit);
  atomic_fetch_and(&cleared, ~bit);
  atomic_fetch_xor(&flipped, bit);
  return 0;
}

int main(void) {
  RUN(body, body);
  assert(sum == 4 && set == 3 && cleared == 4 && flipped == 3);
  return 0;
}

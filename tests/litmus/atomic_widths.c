// mazurka: verdict=verified traces=16 also=yes
//
// Two threads update four atomics of 1, 2, 4 and 8 bytes in the same order. Each has two orders of
// the two updates, free of the others: 2^4.
#include <stdatomic.h>

#include "litmus.h"

_Atomic uint8_t one;
_Atomic uint16_t two;
_Atomic uint32_t four;
_Atomic uint64_t eight;

static void* body(void* unused) {
  (void)unused;
  atomic_fetch_add(&one, 200);
  atomic_fetch_add(&two, 40000);
  atomic_fetch_add(&four, 3000000000U);
  atomic_fetch_add(&eight, UINT64_C(10000000000000000000));
  return 0;
}

int main(void) {
  RUN(body, body);
  assert(one == (uint8_t)400);
  assert(two == (uint16_t)80000);
  assert(four == 3000000000U * 2);
  assert(eight == UINT64_C(10000000000000000000) * 2);
  return 0;
}

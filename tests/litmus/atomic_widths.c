// mazurka: verdict=verified traces=1 clang.O0=16 also=yes
//
// Two threads add to four atomics of 1, 2, 4 and 8 bytes, and nobody looks at what was there
// before: sums are the same in any order. (Code of clang that is not optimised does look, and each
// of the four has two orders, free of the others: 2^4.)
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

// mazurka: verdict=verified traces=1
//
// Every read-modify-write gives the old value and leaves the new one. One thread: one trace.
#include <stdatomic.h>
#include <stdbool.h>

#include "litmus.h"

_Atomic unsigned x = 12;
atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void) {
  assert(atomic_fetch_add(&x, 3) == 12);
  assert(atomic_fetch_sub(&x, 5) == 15);
  assert(atomic_fetch_or(&x, 5) == 10);
  assert(atomic_fetch_and(&x, 7) == 15);
  assert(atomic_fetch_xor(&x, 2) == 7);
  assert(__atomic_fetch_nand((unsigned*)&x, 4, __ATOMIC_SEQ_CST) == 5);
  assert(atomic_exchange(&x, 9) == ~4U);
  unsigned expected = 8;
  assert(!atomic_compare_exchange_strong(&x, &expected, 1) && expected == 9);
  assert(atomic_compare_exchange_strong(&x, &expected, 1) && x == 1);
  assert(!atomic_flag_test_and_set(&flag));
  assert(atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  assert(!atomic_flag_test_and_set(&flag));
  return 0;
}

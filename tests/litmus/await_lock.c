// mazurka: verdict=verified traces=6 exhaustive=any flags=-O1
//
// Two threads take a test-and-set lock twice each, without a bound on their attempts. Exhaustive
// search, which knows nothing of races, ends too. What counts is who takes the lock when: 4 over 2.
#include <stdatomic.h>

#include "litmus.h"

atomic_flag lock = ATOMIC_FLAG_INIT;
int counter;

static void* body(void* unused) {
  for (int i = 0; i < 2; i++) {
    while (atomic_flag_test_and_set(&lock)) {
    }
    counter++;
    atomic_flag_clear(&lock);
  }
  return unused;
}

int main(void) {
  RUN(body, body);
  assert(counter == 4);
  return 0;
}

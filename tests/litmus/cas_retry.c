// mazurka: verdict=verified traces=20
//
// Two threads increment a counter three times each, by compare-and-swap, and try again until that
// succeeds. Attempts in vain leave nothing behind, so only the order of the six increments counts:
// 6! / (3! 3!) executions (loops/twins.cpp).
#include <stdatomic.h>

#include "litmus.h"

enum { increments = 3 };

static atomic_int counter;

static void* body(void* unused) {
  for (int i = 0; i < increments; ++i) {
    int seen;
    do {
      seen = counter;
    } while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1));
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, body, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(counter == 2 * increments);
  return 0;
}

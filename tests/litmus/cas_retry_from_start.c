// mazurka: verdict=verified traces=15
//
// A thread replaces what another one has stored, and tries again with what the failed attempt saw.
// As compiled without optimisation, a copy of the value read first stays on the stack for good: so
// the executions are told apart by the value read first and by the one replaced, which comes no
// earlier: 5 + 4 + 3 + 2 + 1 for four stores. Without that copy they would be five.
#include <stdatomic.h>

#include "litmus.h"

enum { stores = 4 };

static atomic_int value;

static void* body(void* unused) {
  for (int i = 1; i <= stores; ++i) value = i;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  int seen = value;
  while (!atomic_compare_exchange_strong(&value, &seen, 100)) {
  }
  pthread_join(thread, 0);
  return 0;
}

// mazurka: verdict=verified traces=3 also=yes
//
// Three threads try to be the first: three compare-and-swaps on one variable, and exactly one
// succeeds, whichever comes first. The other two fail, so they have only read: their order does not
// matter.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int winner;
int won[3];

static void* body(void* argument) {
  const int i = (int)(intptr_t)argument;
  int expected = 0;
  won[i] = atomic_compare_exchange_strong(&winner, &expected, i + 1);
  return 0;
}

int main(void) {
  RUN(body, body, body);
  assert(won[0] + won[1] + won[2] == 1);
  assert(won[winner - 1]);
  return 0;
}

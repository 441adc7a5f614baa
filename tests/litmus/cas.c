// mazurka: verdict=verified traces=6 also=yes
//
// Three threads try to be the first: three compare-and-swaps on one variable in any order, 3!, and
// exactly one succeeds.
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

// mazurka: verdict=verified traces=10
//
// Peterson's mutual exclusion, one attempt per thread: who may enter increments a plain counter,
// and that is no data race. Counted by enumerating all orders of the accesses to the three atomics.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int wants[2];
_Atomic int turn;
int counter;

static void* body(void* argument) {
  const int self = (int)(intptr_t)argument;
  wants[self] = 1;
  turn = 1 - self;
  if (!wants[1 - self] || turn == self) {
    counter++;
    wants[self] = 0;
  }
  return 0;
}

int main(void) {
  RUN(body, body);
  return 0;
}

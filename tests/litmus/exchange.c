// mazurka: verdict=verified traces=6
//
// Three exchanges of one variable: 3! orders. What they got and what is left are the four values.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x;
int got[3];

static void* body(void* argument) {
  const int i = (int)(intptr_t)argument;
  got[i] = atomic_exchange(&x, 1 << (4 * i));
  return 0;
}

int main(void) {
  RUN(body, body, body);
  assert(got[0] + got[1] + got[2] + x == 0x111);
  return 0;
}

// mazurka: verdict=verified traces=1 exhaustive=any also=yes
//
// Four compare-and-swaps that all fail have only read the variable: reads commute, one trace. (As
// steps that write they would have 4!.)
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x;

static void* body(void* unused) {
  (void)unused;
  int expected = 1;
  const int exchanged = atomic_compare_exchange_strong(&x, &expected, 2);
  assert(!exchanged && expected == 0);
  return 0;
}

int main(void) {
  RUN(body, body, body, body);
  return 0;
}

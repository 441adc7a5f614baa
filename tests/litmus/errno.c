// mazurka: verdict=verified traces=2
//
// errno belongs to its thread, whatever the others do in between.
#include <errno.h>
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x;

static void* body(void* argument) {
  errno = 100 + (int)(intptr_t)argument;
  if (atomic_fetch_add(&x, 1) > 1) return 0;
  assert(errno == 100 + (int)(intptr_t)argument);
  return 0;
}

int main(void) {
  RUN(body, body);
  return 0;
}

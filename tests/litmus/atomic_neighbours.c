// mazurka: verdict=verified traces=1
//
// Atomics that share a word but no byte do not depend on each other.
#include <stdatomic.h>

#include "litmus.h"

_Atomic char cells[4];

static void* body(void* argument) {
  atomic_store(&cells[(intptr_t)argument], 1);
  return 0;
}

int main(void) {
  RUN(body, body, body, body);
  return 0;
}

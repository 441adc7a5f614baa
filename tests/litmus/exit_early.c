// mazurka: verdict=verified traces=1 exhaustive=any
//
// main returns while three threads store to variables of their own. They could be cut off anywhere,
// but the end of the program comes last, and shows all that an earlier one would: one trace, as if
// main had joined them.
#include <stdatomic.h>

#include "litmus.h"

_Atomic int x[3];

static void* store(void* argument) {
  _Atomic int* own = argument;
  *own = 1;
  *own = 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 3; i++) pthread_create(&thread, 0, store, &x[i]);
  return 0;
}

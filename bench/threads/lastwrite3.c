// Last write in three phases: each of N threads writes x, then y, then z; main reads all three.
//
// Executions (--racy): (N!)^3. The orders of the writes to x, to y and to z are free of each other:
// all writes to x may come first, in any order, then all to y, then all to z. 3: 216, 4: 13824.
#include "run.h"

#ifndef N
#define N 3
#endif

int x, y, z;

static void* writer(void* unused) {
  (void)unused;
  x = 1;
  y = 1;
  z = 1;
  return 0;
}

int main(void) {
  run_all(N, writer);
  return x + y + z == 3 ? 0 : 1;
}

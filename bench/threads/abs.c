// Last write in two phases: each of N threads writes x, then y; main reads both.
//
// Executions (--racy): (N!)^2, as in lastwrite3.c with one variable less. 4: 576, 5: 14400.
#include "run.h"

#ifndef N
#define N 4
#endif

int x, y;

static void* writer(void* unused) {
  (void)unused;
  x = 1;
  y = 1;
  return 0;
}

int main(void) {
  run_all(N, writer);
  return x + y == 2 ? 0 : 1;
}

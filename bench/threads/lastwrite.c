// Last write: N threads write one variable; main reads it when all have ended.
//
// Executions (--racy): N!, since any two writes are dependent: every order of the N is a trace.
// 4: 24, 8: 40320.
#include "run.h"

#ifndef N
#define N 4
#endif

int x;

static void* writer(void* unused) {
  (void)unused;
  x = 1;
  return 0;
}

int main(void) {
  run_all(N, writer);
  return x == 1 ? 0 : 1;
}

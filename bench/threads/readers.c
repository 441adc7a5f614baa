// Readers: one thread writes a variable, N threads read it.
//
// Executions (--racy): 2^N, since each read comes before or after the write and reads do not depend
// on each other. 8: 256, 13: 8192.
#include "run.h"

#ifndef N
#define N 8
#endif

int x;

static void* writer(void* unused) {
  (void)unused;
  x = 1;
  return 0;
}

static void* reader(void* unused) {
  (void)unused;
  const int seen = x;
  return (void*)(intptr_t)seen;
}

static void* body(void* argument) {
  return number(argument) == 0 ? writer(argument) : reader(argument);
}

int main(void) {
  run_all(N + 1, body);
  return 0;
}

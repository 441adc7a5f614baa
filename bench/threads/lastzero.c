// Last zero: thread i of 1 .. N sets a[i] = a[i-1] + 1 while thread 0 looks, from the end of the
// array down, for a zero (a[0] always is one).
//
// Executions (--racy): 2^(N-2) * (N+3). What thread 0 touches depends on what it reads, so that
// techniques which are not optimal run into executions that end asleep. 5: 64, 10: 3328, 12: 15360,
// 15: 147456.
#include "run.h"

#ifndef N
#define N 5
#endif

int a[N + 1];

static void* writer(void* argument) {
  const int i = number(argument);
  a[i] = a[i - 1] + 1;
  return 0;
}

static void* searcher(void* unused) {
  (void)unused;
  int i = N;
  while (a[i] != 0) i--;
  return 0;
}

static void* body(void* argument) {
  return number(argument) == 0 ? searcher(argument) : writer(argument);
}

int main(void) {
  run_all(N + 1, body);
  return 0;
}

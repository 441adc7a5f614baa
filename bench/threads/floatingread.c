// Floating read: N threads write one variable, one more thread reads it at any time.
//
// Executions (--racy): (N+1)!, since the read depends on every write and the writes on each other:
// every order of the N+1 accesses is a trace. 4: 120, 7: 40320.
#include <assert.h>

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

static void* reader(void* unused) {
  (void)unused;
  assert(x < N + 1);
  return 0;
}

int main(void) {
  pthread_t last;
  pthread_t writers[N];
  for (int i = 0; i < N; i++) start(&writers[i], writer, i);
  start(&last, reader, N);
  for (int i = 0; i < N; i++) pthread_join(writers[i], 0);
  pthread_join(last, 0);
  return 0;
}

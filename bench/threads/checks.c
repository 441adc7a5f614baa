// What the checks of plain accesses cost: N threads add up a heap block each under a mutex and
// write a part of it. Many plain accesses, few steps, no data race.
//
// Executions: the orders of N critical sections, N!.
#include <stdlib.h>

#include "run.h"

#ifndef N
#define N 5
#endif

enum { words = 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long* block;
static long total;

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < words; i++) total += block[i]++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  block = calloc(words, sizeof *block);
  run_all(N, body);
  free(block);
  return 0;
}

// Long: four threads compute by themselves, in N steps each, wait for each other, and then write
// two variables. All that matters comes at the end of an execution: what goes before is repeated by
// each of them, or put back (--checkpoints).
//
// Executions (--racy): (4!)^2 = 576, the orders of the writes of x and of those of y. 25: of some
// 120 events each, 750: of some 3,000.
#include "run.h"

#ifndef N
#define N 25
#endif

enum { threads = 4 };

static int own[threads][8];
static int x, y;
static pthread_barrier_t ready;

static void* worker(void* argument) {
  const int me = number(argument);
  for (int i = 0; i < N; i++) own[me][i % 8] = i;
  pthread_barrier_wait(&ready);
  x = me;
  y = me;
  return 0;
}

int main(void) {
  pthread_barrier_init(&ready, 0, threads);
  run_all(threads, worker);
  return x < threads && y < threads ? 0 : 1;
}

// Indexer (Flanagan and Godefroid, POPL 2005): N threads insert 4 messages each into a hash table
// of 128 entries by compare-and-swap; a taken entry sends the insertion on to the next.
//
// Executions (--racy): up to N = 11 no two messages meet. From there on every message that meets
// another one's entry doubles the number: 11: 1, 12: 8, 13: 64, 14: 512, 15: 4096.
#include <stdatomic.h>

#include "run.h"

#ifndef N
#define N 12
#endif

enum { size = 128, messages = 4 };

_Atomic int table[size];

static void* insert_all(void* argument) {
  const int thread = number(argument);
  for (int m = 1; m <= messages; m++) {
    const int message = m * 11 + thread;
    int slot = message * 7 % size;
    int expected = 0;
    while (!atomic_compare_exchange_strong(&table[slot], &expected, message)) {
      slot = (slot + 1) % size;
      expected = 0;
    }
  }
  return 0;
}

int main(void) {
  run_all(N, insert_all);
  return 0;
}

// N processes write a variable, one more reads it, whenever. COPIES: so many of these side by side,
// on variables of their own. DIF: each writer has a value of its own, and the reader keeps what it
// read.
//
// Optimal (--racy): ((N+1)!)^COPIES; observers: (N 2^(N-1) + 1)^COPIES.
#include "run.hpp"

#ifndef N
#define N 4
#endif
#ifndef COPIES
#define COPIES 1
#endif

int x[COPIES];

static void write_one(int argument) {
#ifdef DIF
  x[argument / (N + 1)] = argument % (N + 1) + 1;
#else
  x[argument / (N + 1)] = 1;
#endif
}

static void read_one(int argument) {
#ifdef DIF
  volatile int kept = x[argument];
  (void)kept;
#else
  mazurka_assert(x[argument] < N + 1);
#endif
}

int main() {
  Process processes[COPIES * (N + 1)];
  for (int copy = 0; copy < COPIES; ++copy) {
    const int first = copy * (N + 1);
    for (int i = 0; i < N; ++i) processes[first + i].start(write_one, first + i);
    processes[first + N].start(read_one, copy);
  }
  for (Process& process : processes) process.wait();
}

// A binary tree of tasks with INNER inner nodes: fib, mergesort and quicksort as the tables count
// them. An inner task starts two others and waits for both; every task then adds its result to its
// parent's in one step.
//
// Optimal: 2^INNER, the order of the two additions at each inner task. They commute.
#include "run.hpp"

#ifndef INNER
#define INNER 3
#endif

int result[INNER + 1];  // tasks are numbered like a heap, from 1

static void task(int self) {
  int own = 1;
  if (self <= INNER) {
    Process one, other;
    one.start(task, 2 * self);
    other.start(task, 2 * self + 1);
    one.wait();
    other.wait();
    mazurka::atomic([&] { result[self / 2] += result[self]; });
  } else {
    mazurka::atomic([&] { result[self / 2] += own; });
  }
}

int main() {
  Process root;
  root.start(task, 1);
  root.wait();
}

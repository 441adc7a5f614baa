// 2 floor(N/2) pairs, each with an array of its own, all ones: one process writes ones all over the
// array in one step, the other asserts that the first element is below 2.
//
// Optimal: 2^(2 floor(N/2)); nothing ever changes, so one execution is enough. The longer the
// array, the more a check pays that looks only at what the two steps touch.
#include "run.hpp"

#ifndef N
#define N 5
#endif

enum { pairs = 2 * (N / 2) };

int array[pairs][N];

static void overwrite(int pair) {
  mazurka::atomic([&] {
    for (int& element : array[pair]) element = 1;
  });
}

static void look(int pair) { mazurka_assert(array[pair][0] < 2); }

int main() {
  for (auto& one : array) {
    for (int& element : one) element = 1;
  }
  Process processes[2 * pairs];
  for (int pair = 0; pair < pairs; ++pair) {
    processes[2 * pair].start(overwrite, pair);
    processes[2 * pair + 1].start(look, pair);
  }
  for (Process& process : processes) process.wait();
}

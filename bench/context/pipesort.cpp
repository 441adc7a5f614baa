// A pipeline of N - 1 stages that sorts N numbers: stage k keeps the smallest number that reaches
// it and passes the others on. Each number is a process that walks through the stages, a step at
// each.
//
// The paper gives no source for its pipesort, only its length N(N+1)+1; this one is ours.
#include "run.hpp"

#ifndef N
#define N 3
#endif

int kept[N];  // 0: nothing yet

static void travel(int number) {
  int value = N - number;
  for (int stage = 0; stage < N && value != 0; ++stage) {
    value = mazurka::atomic([&] {
      const int here = kept[stage];
      if (here == 0 || value < here) {
        kept[stage] = value;
        return here;
      }
      return value;
    });
  }
}

int main() { run_all(N, travel); }

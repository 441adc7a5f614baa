// Sorts N + 1 numbers by comparing and exchanging neighbours, in (N + 1) / 2 rounds. In a round N
// processes do one step each, one for each pair of neighbours; the next one begins when all have.
// The numbers stand in pairs, each the wrong way round: every other process of the first round
// exchanges, and then all are sorted.
//
// The paper prints no source for its pipesort. This one is put together from the numbers that it
// prints: see docs/techniques.md for what fits and what does not.
//
// Optimal: M! 3^(M-1) with M = (N + 1) / 2: the M exchanges all write `exchanged`, and each of the
// other processes may come before, between or after its two neighbours. Nobody reads `exchanged`,
// so with observers only the order of each step and its neighbour is left: 2^(N-1).
#include "run.hpp"

#ifndef N
#define N 3
#endif

int line[N + 1];
int exchanged;

static void exchange_if_needed(int place) {
  mazurka::atomic([&] {
    const int left = line[place];
    const int right = line[place + 1];
    if (left <= right) return;
    line[place] = right;
    line[place + 1] = left;
    exchanged = 1;
  });
}

int main() {
  for (int place = 0; place <= N; ++place) line[place] = place ^ 1;
  for (int round = 0; round < (N + 1) / 2; ++round) run_all(N, exchange_if_needed);
}

// Dining philosophers: N forks, each a mutex; philosopher i takes forks i and i + 1, eats, puts
// them back. The last one takes them in the other order, so that nobody can deadlock; with
// -DDEADLOCK everybody takes the left one first.
//
// Executions: 2^N - 2, with -DDEADLOCK 2^N - 1. Each fork goes to one of its two neighbours first.
// All N forks to the same side is impossible, for whoever eats holds two at once: that excludes two
// of the 2^N. With -DDEADLOCK one of these two is the deadlock. 5: 30, 11: 2046, 13: 8190.
#include "run.h"

#ifndef N
#define N 5
#endif

pthread_mutex_t fork_[N];

static void* philosopher(void* argument) {
  const int i = number(argument);
  int left = i;
  int right = (i + 1) % N;
#ifndef DEADLOCK
  if (i == N - 1) {
    left = right;
    right = i;
  }
#endif
  pthread_mutex_lock(&fork_[left]);
  pthread_mutex_lock(&fork_[right]);
  pthread_mutex_unlock(&fork_[right]);
  pthread_mutex_unlock(&fork_[left]);
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) pthread_mutex_init(&fork_[i], 0);
  run_all(N, philosopher);
  return 0;
}

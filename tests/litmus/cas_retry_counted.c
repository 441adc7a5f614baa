// mazurka: verdict=finding finding=assertion
//
// Like cas_retry.c, but the attempts are counted: four of them, the most that the other thread can
// cause, must be found.
#include <stdatomic.h>

#include "litmus.h"

enum { increments = 3 };

static atomic_int counter;

static void* others(void* unused) {
  for (int i = 0; i < increments; ++i) atomic_fetch_add(&counter, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, others, 0);
  int attempts = 0;
  int seen;
  do {
    ++attempts;
    seen = counter;
  } while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1));
  assert(attempts < 4);
  pthread_join(thread, 0);
  return 0;
}

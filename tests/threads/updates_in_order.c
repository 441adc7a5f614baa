// mazurka: verdict=verified traces=2
// broken: verdict=finding finding=data_race
//
// Who sees the flag adds to x after the other one has, and by that learns what the other one has
// done; nothing else tells it. So the accesses to d do not race. The flag is seen or not: 2.
// Broken: it does not look at the flag, so it may add to x before the other one.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, flag;
static volatile int d;

static void* first(void* unused) {
  d = 1;
  atomic_fetch_add(&x, 1);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
#ifndef BROKEN
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 0) return unused;
#endif
  atomic_fetch_add(&x, 1);
  d = 2;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}

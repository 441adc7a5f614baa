// mazurka: verdict=verified traces=any options="--racy" flags="-finstrument-functions"
//   techniques="optimal source"
// broken: verdict=finding finding=assertion options="--racy" flags="-finstrument-functions"
//
// The verification competition's functions as programs like to define them: static, so that they
// have no name outside. What counts is that `reach_error` is called, though it does nothing;
// `abort` means that an assumption does not hold. Broken: the bound is one too low.
#include <pthread.h>
#include <stdlib.h>

static void reach_error(void) {}

static void assume_abort_if_not(int holds) {
  if (!holds) abort();
}

static inline void check(int holds) {
  if (!holds) {
    reach_error();
    abort();
  }
}

static int items, taken;

static void __VERIFIER_atomic_add(int* where) { *where = *where + 1; }

static int __VERIFIER_atomic_take(void) {
  assume_abort_if_not(items > 0);
  items--;
  return ++taken;
}

static void* producer(void* unused) {
  __VERIFIER_atomic_add(&items);
  __VERIFIER_atomic_add(&items);
  return unused;
}

static void* consumer(void* unused) {
#ifdef BROKEN
  check(__VERIFIER_atomic_take() <= 1);
#else
  check(__VERIFIER_atomic_take() <= 2);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, producer, 0);
  pthread_create(&threads[1], 0, consumer, 0);
  pthread_create(&threads[2], 0, consumer, 0);
  for (int at = 0; at < 3; at++) pthread_join(threads[at], 0);
  check(items == 0);
  return 0;
}

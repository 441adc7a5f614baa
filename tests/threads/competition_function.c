// mazurka: verdict=verified traces=2 options="--racy" flags="-finstrument-functions"
//   techniques="optimal source"
// broken: verdict=finding finding=assertion options="--racy" flags="-finstrument-functions"
//
// In the verification competition a function whose name begins with __VERIFIER_atomic_ is
// indivisible; if it finds that an assumption does not hold, it waits. Broken: an ordinary name.
//
// One thread comes when the other has let go: two orders. Whoever comes earlier ends the execution
// by its assumption, and that is not counted.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

#ifdef BROKEN
#define __VERIFIER_atomic_acquire acquire
#endif

static volatile int locked, inside, value;  // volatile: the compiler leaves no access out

void __VERIFIER_atomic_acquire(void) {
  value++;  // taken back if it has to wait
  __VERIFIER_assume(locked == 0);
  locked = 1;
}

void __VERIFIER_atomic_compare_exchange(int* where, int expected, int wanted, int* done) {
  *done = *where == expected;
  if (*done) *where = wanted;
}

static void* body(void* unused) {
  __VERIFIER_atomic_acquire();
  inside++;
  if (inside != 1) reach_error();
  inside--;
  int done = 0;
  __VERIFIER_atomic_compare_exchange(&locked, 1, 0, &done);
  if (!done) reach_error();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, body, 0);
  pthread_create(&threads[1], 0, body, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  if (value != 2) reach_error();
  return 0;
}

// mazurka: verdict=inconclusive traces=4
// broken: verdict=finding finding=assertion
//
// The verification competition's functions: a value that may be anything, an assumption, an
// indivisible block, the error location.
//
// Of the four values that are tried an assumption ends two; with each of the others the blocks come
// in two orders: 4.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

static int counter;

static void* body(void* unused) {
  __VERIFIER_atomic_begin();
  counter++;
  __VERIFIER_atomic_end();
  return unused;
}

int main(void) {
  pthread_t thread;
  const int start = __VERIFIER_nondet_int();
  __VERIFIER_assume(start >= 0 && start < 2);
  counter = start;
  pthread_create(&thread, 0, body, 0);
  body(0);
  pthread_join(thread, 0);
#ifdef BROKEN
  if (counter == 3) reach_error();
#else
  if (counter != start + 2) reach_error();
#endif
  return 0;
}

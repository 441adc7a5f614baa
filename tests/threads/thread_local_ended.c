// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=memory_error traces=any message="thread-local variables of"
//
// A thread lends a variable of its own, and waits until that was used. Broken: it does not wait,
// and its variables are gone, which may be before they are used or after.
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int number;
static _Atomic(int*) lent;
static _Atomic int returned;

static void* lend(void* unused) {
  number = 1;
  atomic_store(&lent, &number);
#ifndef BROKEN
  while (atomic_load(&returned) == 0) {
  }
#endif
  return unused;
}

static void* borrow(void* unused) {
  int* found = atomic_load(&lent);
  if (found != 0) *found = 2;
  atomic_store(&returned, 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, lend, 0);
  pthread_create(&threads[1], 0, borrow, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}

// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=memory_error traces=any message="which has ended"
//
// A thread hands out the address of a variable on its stack, and waits until that was used. Broken:
// it does not wait, and its stack is gone.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int*) lent;
static _Atomic int returned;

static void* lend(void* unused) {
  int number = 0;
  atomic_store(&lent, &number);
#ifndef BROKEN
  while (atomic_load(&returned) == 0) {
  }
#endif
  return unused;
}

static void* borrow(void* unused) {
  int* number = atomic_load(&lent);
  if (number != 0) *number = 1;
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

// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=memory_error traces=any message="variables of a thread that may"
//
// A thread lends a variable of its own, and ends when it is told that the variable was returned.
// Broken: it is told so before the last use. That use comes first whenever it is seen, because it
// is no step of its own, but nothing orders it before the end of the thread.
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int number;
static _Atomic(int*) lent;
static _Atomic int returned;

static void* lend(void* unused) {
  atomic_store(&lent, &number);
  while (atomic_load(&returned) == 0) {
  }
  return unused;
}

static void* borrow(void* unused) {
  int* found = atomic_load(&lent);
#ifdef BROKEN
  atomic_store(&returned, 1);
  if (found != 0) *found = 2;
#else
  if (found != 0) *found = 2;
  atomic_store(&returned, 1);
#endif
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

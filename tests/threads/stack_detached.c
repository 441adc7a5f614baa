// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=memory_error traces=any message="stack of a thread that may have"
//
// A thread gives another one a variable on its stack, and waits for that one. Broken: it leaves it
// alone. In this order or that, nothing orders the use of the variable before the thread's end.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int done;

static void* inner(void* argument) {
  *(int*)argument = 2;
  atomic_store(&done, 1);
  return 0;
}

static void* outer(void* unused) {
  int number = 1;
  pthread_t thread;
  pthread_create(&thread, 0, inner, &number);
#ifdef BROKEN
  pthread_detach(thread);
#else
  pthread_join(thread, 0);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, outer, 0);
  pthread_join(thread, 0);
  while (atomic_load(&done) == 0) {
  }
  return 0;
}

// mazurka: verdict=verified traces=any options="--racy" also=yes
// techniques="optimal reverse source dpor sleep optimal-observers bounded"
// broken: verdict=finding finding=memory_error traces=any options="--racy" message="has ended"
// techniques="optimal reverse source dpor sleep optimal-observers bounded"
//
// A thread lends a variable on its stack, and ends when it is told that the variable was returned.
// Broken: it is told so before the last use. No other step of the thread conflicts with that use:
// only because its end does, is the end tried before it.
#include <semaphore.h>

#include "litmus.h"

static sem_t returned;

static void* use(void* shared) {
#ifdef BROKEN
  sem_post(&returned);
  *(int*)shared = 2;
#else
  *(int*)shared = 2;
  sem_post(&returned);
#endif
  return 0;
}

static void* lend(void* unused) {
  int number = 1;
  pthread_t thread;
  pthread_create(&thread, 0, use, &number);
  pthread_detach(thread);
  sem_wait(&returned);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&returned, 0, 0);
  pthread_create(&thread, 0, lend, 0);
  pthread_join(thread, 0);
  return 0;
}

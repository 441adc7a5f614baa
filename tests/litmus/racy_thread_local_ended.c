// mazurka: verdict=finding finding=memory_error traces=any options="--racy" message="has ended"
// techniques="optimal reverse source dpor sleep optimal-observers bounded" also=yes
//
// As racy_stack_ended.c, with a thread-local variable.
#include "litmus.h"

static _Thread_local int number;

static void* use(void* shared) {
  *(int*)shared = 2;
  return 0;
}

static void* lend(void* unused) {
  pthread_t thread;
  pthread_create(&thread, 0, use, &number);
  pthread_detach(thread);
  number = 3;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, lend, 0);
  pthread_join(thread, 0);
  return 0;
}

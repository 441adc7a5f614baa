// mazurka: verdict=verified traces=any options="--racy"
// techniques="optimal reverse source dpor sleep optimal-observers bounded"
// broken: verdict=finding finding=memory_error traces=any options="--racy" message="was freed"
// techniques="optimal reverse source dpor sleep optimal-observers bounded"
//
// A thread says that it needs a block no more, and writes to it before that. Broken: after that,
// which nobody reads. Freeing the block conflicts with the write all the same.
#include <semaphore.h>
#include <stdlib.h>

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

int main(void) {
  pthread_t thread;
  int* block = malloc(sizeof *block);
  sem_init(&returned, 0, 0);
  pthread_create(&thread, 0, use, block);
  sem_wait(&returned);
  free(block);
  pthread_join(thread, 0);
  return 0;
}

// mazurka: verdict=finding finding=assertion traces=any options="--racy"
// techniques="optimal reverse source dpor sleep optimal-observers bounded" also=yes
//
// A local variable that two threads use is shared memory, and with --racy each access to it is a
// step. A process that has not seen anything of the program yet must perform the finding's schedule
// with the same steps.
#include "litmus.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int released;

static void* announce(void* argument) {
  int* ready = argument;
  pthread_mutex_lock(&mutex);
  *ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  released = 1;
  return 0;
}

int main(void) {
  int ready = 0;
  pthread_t thread;
  pthread_create(&thread, 0, announce, &ready);
  pthread_mutex_lock(&mutex);
  while (ready == 0) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  assert(released == 1);
  pthread_join(thread, 0);
  return 0;
}

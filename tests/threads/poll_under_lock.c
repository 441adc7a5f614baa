// mazurka: verdict=verified traces=2 flags=-O1
// broken: verdict=finding finding=livelock
//
// Polls with a mutex held that it gives up for a moment: whoever it waits for gets the mutex then.
// Broken: nobody sets the flag.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int counter;

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
#ifndef BROKEN
  flag = 1;
#endif
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_mutex_lock(&mutex);
  counter++;
  while (!flag) {
    pthread_mutex_unlock(&mutex);
    sched_yield();
    pthread_mutex_lock(&mutex);
  }
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}

// mazurka: verdict=verified traces=1 message="a thread ended while it held a lock"
// broken: verdict=finding finding=deadlock
//
// A thread ends and keeps its lock: noted. Broken: somebody needs the lock afterwards.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
#ifdef BROKEN
  pthread_mutex_lock(&mutex);
#endif
  return 0;
}

// mazurka: verdict=verified traces=1
// broken: verdict=finding finding=misuse
//
// A thread is joined twice.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
#ifdef BROKEN
  pthread_join(thread, 0);
#else
  (void)0;
#endif
  return 0;
}

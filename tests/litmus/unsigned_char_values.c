// mazurka: verdict=finding finding=assertion message="level = 200" also=yes
//
// A character without a sign is told without one.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
unsigned char level;

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
  level = 200;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_mutex_lock(&mutex);
  assert(level < 100);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}

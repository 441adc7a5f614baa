// mazurka: verdict=verified traces=60 techniques="optimal source"
// broken: verdict=finding finding=assertion techniques="optimal source"
//
// Two consumers, two producers, one condition variable. Broken: a consumer that was woken does not
// look again whether there is anything.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void* consume(void* unused) {
  pthread_mutex_lock(&mutex);
#ifdef BROKEN
  if (items == 0) pthread_cond_wait(&changed, &mutex);
#else
  while (items == 0) pthread_cond_wait(&changed, &mutex);
#endif
  items--;
  assert(items >= 0);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* produce(void* unused) {
  pthread_mutex_lock(&mutex);
  items++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], 0, consume, 0);
  pthread_create(&threads[1], 0, consume, 0);
  pthread_create(&threads[2], 0, produce, 0);
  pthread_create(&threads[3], 0, produce, 0);
  for (int at = 0; at < 4; at++) pthread_join(threads[at], 0);
  return 0;
}

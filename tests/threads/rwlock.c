// mazurka: verdict=verified traces=4 reverse=14 graphs=14
// broken: verdict=finding finding=data_race
//
// A read-write lock: one writer and two readers, each of which comes before it or after it. To
// reverse and graphs the order of the readers counts, too. Broken: a reader writes.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value, seen;

static void* writer(void* unused) {
  pthread_rwlock_wrlock(&lock);
  value = 1;
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  assert(value == 0 || value == 1);
#ifdef BROKEN
  seen = value;
#endif
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, reader, 0);
  pthread_create(&threads[2], 0, reader, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(pthread_rwlock_tryrdlock(&lock) == 0 && pthread_rwlock_trywrlock(&lock) != 0);
  pthread_rwlock_unlock(&lock);
  return seen == 7;
}

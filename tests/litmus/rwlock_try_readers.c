// mazurka: verdict=verified traces=9 reverse=any graphs=any
//
// A writer, and two threads that try to read: each of them comes before the writer, after it, or
// while it writes and then fails. Attempts that fail do not disturb each other, nor do those that
// succeed: 3 * 3.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;

void* reader(void* unused) {
  if (pthread_rwlock_tryrdlock(&lock) != 0) return unused;
  assert(value == 0 || value == 2);
  pthread_rwlock_unlock(&lock);
  return unused;
}

void* writer(void* unused) {
  pthread_rwlock_wrlock(&lock);
  value = 1;
  value = 2;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, i < 2 ? reader : writer, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}

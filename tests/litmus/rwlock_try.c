// mazurka: verdict=verified traces=9 reverse=30 graphs=30
//
// Two readers and a thread that tries to write. Each reader's two steps leave that three places:
// 3 * 3. It fails in 5 of these, where somebody reads. How the readers' steps lie to each other
// nobody can tell; where that counts all the same there are 6 orders of these 4 steps, and 5
// places.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;

void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  assert(value == 0);
  pthread_rwlock_unlock(&lock);
  return unused;
}

void* writer(void* unused) {
  if (pthread_rwlock_trywrlock(&lock) == 0) pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, i < 2 ? reader : writer, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}

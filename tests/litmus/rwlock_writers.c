// mazurka: verdict=verified traces=18 reverse=48 graphs=48
//
// Two writers and two readers: the writers come in one of 2 orders, and each reader before, between
// or after them, 3 ways, whatever the other does: 2 * 3 * 3. Readers that are both in the same
// place do not disturb each other. Where their order counts all the same: the readers come one
// after the other, 2 ways, and the writers take 2 of 3 places, together or not, 6 * 2 ways; or the
// readers overlap, 4 ways, which leaves the writers 2 places, 3 * 2 ways.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;

void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  assert(value <= 2);
  pthread_rwlock_unlock(&lock);
  return unused;
}

void* writer(void* unused) {
  pthread_rwlock_wrlock(&lock);
  ++value;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, i < 2 ? reader : writer, 0);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  assert(value == 2);
}

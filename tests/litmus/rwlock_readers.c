// mazurka: verdict=verified traces=1 reverse=90 graphs=90
//
// Three threads that share a read-write lock: nobody can tell in which order they come and go. To
// reverse and graphs the order of all six steps counts, of each thread in its own: 6! / (2! 2! 2!).
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value = 1;
int seen[3];

void* reader(void* own) {
  pthread_rwlock_rdlock(&lock);
  *(int*)own = value;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, reader, &seen[i]);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}

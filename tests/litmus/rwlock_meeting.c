// mazurka: verdict=verified traces=2 reverse=any graphs=any
//
// Two readers that wait for each other while they share the lock, and a writer: before both of
// them or after both. If one has the lock before the writer, it gives it back before, which it can
// only once the other has it, too. So the writer can not be tried before one reader and after the
// other; to be tried before the first, it must be before the other as well.
#include <pthread.h>
#include <semaphore.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t here[2];
int value;

void* reader(void* number) {
  const int own = number != 0;
  pthread_rwlock_rdlock(&lock);
  sem_post(&here[own]);
  sem_wait(&here[1 - own]);
  pthread_rwlock_unlock(&lock);
  return 0;
}

void* writer(void* unused) {
  pthread_rwlock_wrlock(&lock);
  ++value;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  sem_init(&here[0], 0, 0);
  sem_init(&here[1], 0, 0);
  pthread_create(&threads[0], 0, reader, 0);
  pthread_create(&threads[1], 0, reader, &value);
  pthread_create(&threads[2], 0, writer, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}

// mazurka: verdict=verified traces=6
// broken: verdict=finding finding=data_race
//
// A semaphore of one as a lock, and a look at its value at the end. Broken: it starts with two.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;
static int counter;

static void* body(void* unused) {
  sem_wait(&tokens);
  counter++;
  sem_post(&tokens);
  return unused;
}

int main(void) {
  pthread_t threads[3];
#ifdef BROKEN
  sem_init(&tokens, 0, 2);
#else
  sem_init(&tokens, 0, 1);
#endif
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, body, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  int left = -1;
  sem_getvalue(&tokens, &left);
  assert(left > 0 && counter == 3);
  while (left-- > 0) assert(sem_trywait(&tokens) == 0);
  assert(sem_trywait(&tokens) != 0);
  return 0;
}

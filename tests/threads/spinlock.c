// mazurka: verdict=verified traces=6
// broken: verdict=finding finding=deadlock
//
// pthread spin locks: the three threads take it in every order, 3!. Broken: one of them never gives
// it back.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_spinlock_t lock;
static int counter;

static void* body(void* number) {
  pthread_spin_lock(&lock);
  counter++;
#ifdef BROKEN
  if ((intptr_t)number == 1) return 0;
#endif
  pthread_spin_unlock(&lock);
  return number;
}

int main(void) {
  pthread_t threads[3];
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  for (intptr_t i = 0; i < 3; i++) pthread_create(&threads[i], 0, body, (void*)i);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(counter == 3);
  return 0;
}

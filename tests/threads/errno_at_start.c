// mazurka: verdict=verified traces=2
// broken: verdict=finding finding=assertion
//
// Every thread begins with an errno of 0, whatever the execution before has left there. Broken: it
// is looked at after a call that may fail.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;

static void* body(void* unused) {
  assert(errno == 0);
  sem_trywait(&tokens);
#ifdef BROKEN
  assert(errno == 0);
#endif
  return unused;
}

int main(void) {
  assert(errno == 0);
  pthread_t thread;
  sem_init(&tokens, 0, 0);
  pthread_create(&thread, NULL, body, NULL);
  sem_post(&tokens);
  errno = EINVAL;
  pthread_join(thread, NULL);
  return 0;
}

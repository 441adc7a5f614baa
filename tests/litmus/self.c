// mazurka: verdict=verified traces=2
//
// Every thread has its own identity, the one its creator was told. One mutex, two sections.
#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_t seen[2];

static void* body(void* argument) {
  const int i = (int)(intptr_t)argument;
  assert(pthread_equal(pthread_self(), pthread_self()));
  pthread_mutex_lock(&mutex);
  seen[i] = pthread_self();
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, body, (void*)0);
  pthread_create(&two, 0, body, (void*)1);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(pthread_equal(seen[0], one));
  assert(pthread_equal(seen[1], two));
  assert(!pthread_equal(one, two));
  assert(!pthread_equal(one, pthread_self()));
  return 0;
}

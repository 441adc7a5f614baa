// mazurka: verdict=verified traces=2
//
// The owner of a recursive mutex may lock it again; the other thread gets it only after as many
// unlocks. Two orders of the outer sections.
#define _GNU_SOURCE
#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int counter;

static void* body(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  const int before = counter++;
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_trylock(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  assert(counter == before + 1);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  RUN(body, body);
  assert(counter == 2);
  return 0;
}

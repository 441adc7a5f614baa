// mazurka: verdict=verified traces=2
//
// Two threads want a lock that is never given back, and main returns: whoever is left waiting is no
// deadlock, because the program can end. Two traces: who gets the lock.
#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* keep(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, keep, 0);
  pthread_create(&thread, 0, keep, 0);
  return 0;
}

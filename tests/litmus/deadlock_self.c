// mazurka: verdict=finding finding=deadlock traces=1 options="--keep-going"
//
// A normal mutex locked twice by its owner: it waits for itself.
#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  return 0;
}

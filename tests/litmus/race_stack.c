// mazurka: verdict=finding finding=data_race traces=1 options="--keep-going"
//
// A local variable of main whose address two threads have is shared like any other.
#include "litmus.h"

static void* body(void* argument) {
  int* shared = argument;
  *shared += 1;
  return 0;
}

int main(void) {
  int local = 0;
  pthread_t one, two;
  pthread_create(&one, 0, body, &local);
  pthread_create(&two, 0, body, &local);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return local == 2 ? 0 : 1;
}

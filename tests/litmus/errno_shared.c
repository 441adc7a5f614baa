// mazurka: verdict=finding finding=data_race traces=any also=yes
//
// errno is a variable like any other to a thread that has its address.
#include <errno.h>

#include "litmus.h"

static void* body(void* shared) {
  *(int*)shared = EINTR;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, &errno);
  errno = 0;
  pthread_join(thread, 0);
  return 0;
}

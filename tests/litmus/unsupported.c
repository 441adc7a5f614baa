// mazurka: verdict=error message="pthread_cancel()"
//
// A call that is not supported stops the search with a message that names it.
#include "litmus.h"

static void* body(void* unused) {
  pthread_cancel(pthread_self());
  return unused;
}

int main(void) {
  RUN(body, body);
  return 0;
}

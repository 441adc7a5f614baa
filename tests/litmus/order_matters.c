// mazurka: verdict=verified traces=2 message="states were not compared"
//          techniques="source-context source-context:chains optimal-context"
//
// The order of the sections decides whether d is read, and is all that orders its accesses. So
// states are not compared, and the report says so; both orders are explored, as without states.
#include "litmus.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static int d;

static void* give(void* unused) {
  d = 1;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* take(void* unused) {
  pthread_mutex_lock(&mutex);
  const int given = ready;
  pthread_mutex_unlock(&mutex);
  if (given != 0) assert(d == 1);
  return unused;
}

int main(void) {
  RUN(give, take);
  return 0;
}

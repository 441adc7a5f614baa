// mazurka: verdict=finding finding=data_race traces=2 options="--keep-going" also=yes
// exhaustive=any
//
// Two orders of the critical sections. If the second thread comes first it writes `data` without
// knowing about the first one's write: a data race that one order of two shows.
#include "litmus.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int flag, data;

static void* one(void* unused) {
  (void)unused;
  data = 1;
  pthread_mutex_lock(&mutex);
  flag = 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void* two(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  const int seen = flag;
  pthread_mutex_unlock(&mutex);
  if (!seen) data = 2;
  return 0;
}

int main(void) {
  RUN(one, two);
  return 0;
}

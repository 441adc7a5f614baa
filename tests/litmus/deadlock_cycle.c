// mazurka: verdict=finding finding=deadlock traces=3 options="--keep-going" exhaustive=any
//
// Two mutexes in opposite orders, nested. First one thread, then the other: two traces; each gets
// its first mutex: the deadlock. The fourth combination of orders is a cycle.
#include "litmus.h"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t* first, pthread_mutex_t* second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* one(void* unused) {
  (void)unused;
  both(&a, &b);
  return 0;
}

static void* two(void* unused) {
  (void)unused;
  both(&b, &a);
  return 0;
}

int main(void) {
  RUN(one, two);
  return 0;
}

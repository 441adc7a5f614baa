// Bounded buffer: a producer puts N times, a consumer gets N times. Each operation is one critical
// section and does nothing when the buffer is full or empty.
//
// Executions (--racy): C(2N, N). What a thread touches inside is ordered by the mutex, so a trace
// is an order of the 2N critical sections that respects each thread's own. 5: 252, 7: 3432, 8:
// 12870, 9: 48620.
#include "run.h"

#ifndef N
#define N 5
#endif

enum { capacity = 5 };

int buffer[capacity];
int first, used;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* produce(void* unused) {
  (void)unused;
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&mutex);
    if (used < capacity) {
      buffer[(first + used) % capacity] = i;
      used++;
    }
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

static void* consume(void* unused) {
  (void)unused;
  int sum = 0;
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&mutex);
    if (used > 0) {
      sum += buffer[first];
      first = (first + 1) % capacity;
      used--;
    }
    pthread_mutex_unlock(&mutex);
  }
  return (void*)(intptr_t)sum;
}

int main(void) {
  pthread_t producer, consumer;
  start(&producer, produce, 0);
  start(&consumer, consume, 1);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  return 0;
}

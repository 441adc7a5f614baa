// Shared by the benchmark programs: start n threads, give each its number, wait for all.
// The number travels in the argument itself, so that passing it is no access to shared memory.
#ifndef MAZURKA_BENCH_RUN_H_
#define MAZURKA_BENCH_RUN_H_

#include <pthread.h>
#include <stdint.h>

typedef void* Body(void*);

static inline int number(void* argument) { return (int)(intptr_t)argument; }

static inline void start(pthread_t* thread, Body* body, int value) {
  pthread_create(thread, 0, body, (void*)(intptr_t)value);
}

/// Runs body(0) ... body(n - 1), n at most 64, in threads of their own.
static inline void run_all(int n, Body* body) {
  pthread_t threads[64];
  for (int i = 0; i < n; i++) start(&threads[i], body, i);
  for (int i = 0; i < n; i++) pthread_join(threads[i], 0);
}

#endif  // MAZURKA_BENCH_RUN_H_

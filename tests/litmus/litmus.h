// Shared by the C litmus programs: RUN(one, two, ...) runs each function in a thread of its own,
// all at once, and waits for them in order.
#ifndef MAZURKA_LITMUS_H_
#define MAZURKA_LITMUS_H_

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

typedef void* Body(void*);

static inline void run_threads(int n, Body* const* bodies) {
  pthread_t threads[16];
  for (int i = 0; i < n; i++) pthread_create(&threads[i], 0, bodies[i], (void*)(intptr_t)i);
  for (int i = 0; i < n; i++) pthread_join(threads[i], 0);
}

#define RUN(...)                                                  \
  do {                                                            \
    Body* const bodies[] = {__VA_ARGS__};                         \
    run_threads((int)(sizeof bodies / sizeof bodies[0]), bodies); \
  } while (0)

#endif  // MAZURKA_LITMUS_H_

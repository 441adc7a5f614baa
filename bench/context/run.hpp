// Shared by the programs of the context and observer tables: processes and how to wait for them.
#ifndef MAZURKA_BENCH_CONTEXT_RUN_HPP_
#define MAZURKA_BENCH_CONTEXT_RUN_HPP_

#include <pthread.h>

#include <cstdint>

#include "mazurka/mazurka.h"

using Body = void (*)(int);

struct Process {
  pthread_t thread;
  Body body;

  void start(Body what, int argument) {
    body = what;
    // The argument travels in the pointer, so that passing it is no access to shared memory.
    const auto packed =
        (reinterpret_cast<std::uintptr_t>(what) << 12) | static_cast<unsigned>(argument);
    pthread_create(&thread, nullptr, enter, reinterpret_cast<void*>(packed));
  }
  void wait() const { pthread_join(thread, nullptr); }

 private:
  static void* enter(void* packed) {
    const auto bits = reinterpret_cast<std::uintptr_t>(packed);
    reinterpret_cast<Body>(bits >> 12)(static_cast<int>(bits & 0xfff));
    return nullptr;
  }
};

/// Runs body(0) ... body(n - 1) as processes of their own and waits for all of them.
inline void run_all(int n, Body body) {
  Process processes[64];
  for (int i = 0; i < n; ++i) processes[i].start(body, i);
  for (int i = 0; i < n; ++i) processes[i].wait();
}

#endif  // MAZURKA_BENCH_CONTEXT_RUN_HPP_

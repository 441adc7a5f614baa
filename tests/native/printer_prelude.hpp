// What every printed file begins with. Private to the printer.
#pragma once

namespace mazurka::native {

inline constexpr const char* prelude_c = R"(#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <mazurka/mazurka.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
)";

inline constexpr const char* prelude_cpp = R"(#include <errno.h>
#include <linux/futex.h>
#include <mazurka/mazurka.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <utility>

extern "C" void __VERIFIER_atomic_begin(void);
extern "C" void __VERIFIER_atomic_end(void);

// It is not destroyed when main returns: a detached thread may still wait for it.
template <typename T>
union Kept {
  T one;
  Kept() : one() {}
  ~Kept() {}
};
)";

// Where something runs before main: it has to know which program is meant.
inline constexpr const char* prelude_early = R"(
static int chosen = -1;
__attribute__((constructor(101))) static void read_arguments(int argc, char** argv) {
  if (argc > 1) chosen = atoi(argv[1]);
  if (argc > 2) wanted = argv[2];
}
)";

inline constexpr const char* prelude = R"(
static const char* wanted;
static const struct timespec later = {2000000000, 0};
static const struct timespec limit = {1, 0};

static void fail(const char* text) { __assert_fail(text, text, 0, "fail"); }
static void report(const char* text) {
  if (wanted == NULL || strcmp(text, wanted) == 0) fail(text);
}

#define PUT8(v) ((uint64_t)(v) * 0x100000001)
#define PUT16(v) ((unsigned __int128)(v) << 64 | (unsigned __int128)(v))
static unsigned get8(uint64_t v) {
  if ((unsigned)(v >> 32) != (unsigned)v) fail("torn");
  return (unsigned)v;
}
static unsigned get16(unsigned __int128 v) {
  if ((unsigned)(v >> 64) != (unsigned)v) fail("torn");
  return (unsigned)v;
}

#define FENCE __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define LOAD(x) ({ FENCE; __typeof__(x + 0) seen = (x); FENCE; seen; })
#define STORE(x, v) ({ FENCE; (x) = (v); FENCE; })
)";

}  // namespace mazurka::native

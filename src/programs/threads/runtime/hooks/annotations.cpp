// What programs tell a race detector about themselves.
//
// Code that is compiled for ThreadSanitizer may call its interface (sanitizer/tsan_interface.h) or
// the older dynamic annotations, and is compiled so here. What says that something comes before
// something else, or that a race does not matter, is taken at its word; what only makes
// ThreadSanitizer's reports better does nothing. All are weak: a program may bring its own.
#include "programs/threads/runtime/hooks/hooks.hpp"

using mazurka::threads::EngineScope;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;

#define MAZURKA_ANNOTATION extern "C" __attribute__((visibility("default"), weak))

namespace {

void comes_before(const void* object) {
  if (!scheduled()) return;
  const EngineScope scope;
  runtime->races.pass_on(object);
}

void comes_after(const void* object) {
  if (!scheduled()) return;
  const EngineScope scope;
  runtime->races.learn_from(object);
}

void ignore_races(int change) {
  if (scheduled()) runtime->current().ignored += static_cast<std::uint32_t>(change);
}

constexpr unsigned try_lock_failed = 1U << 5U;  // of the interface's flags

}  // namespace

MAZURKA_ANNOTATION void __tsan_acquire(void* object) { comes_after(object); }
MAZURKA_ANNOTATION void __tsan_release(void* object) { comes_before(object); }
MAZURKA_ANNOTATION void AnnotateHappensBefore(const char*, int, const void* object) {
  comes_before(object);
}
MAZURKA_ANNOTATION void AnnotateHappensAfter(const char*, int, const void* object) {
  comes_after(object);
}

// Locks of the program's own making.
MAZURKA_ANNOTATION void __tsan_mutex_create(void*, unsigned) {}
MAZURKA_ANNOTATION void __tsan_mutex_destroy(void*, unsigned) {}
MAZURKA_ANNOTATION void __tsan_mutex_pre_lock(void*, unsigned) {}
MAZURKA_ANNOTATION void __tsan_mutex_post_lock(void* lock, unsigned flags, int) {
  if ((flags & try_lock_failed) == 0) comes_after(lock);
}
MAZURKA_ANNOTATION int __tsan_mutex_pre_unlock(void* lock, unsigned) {
  comes_before(lock);
  return 1;
}
MAZURKA_ANNOTATION void __tsan_mutex_post_unlock(void*, unsigned) {}
MAZURKA_ANNOTATION void __tsan_mutex_pre_signal(void*, unsigned) {}
MAZURKA_ANNOTATION void __tsan_mutex_post_signal(void*, unsigned) {}
MAZURKA_ANNOTATION void __tsan_mutex_pre_divert(void*, unsigned) {}
MAZURKA_ANNOTATION void __tsan_mutex_post_divert(void*, unsigned) {}
MAZURKA_ANNOTATION void AnnotateRWLockCreate(const char*, int, const void*) {}
MAZURKA_ANNOTATION void AnnotateRWLockCreateStatic(const char*, int, const void*) {}
MAZURKA_ANNOTATION void AnnotateRWLockDestroy(const char*, int, const void*) {}
MAZURKA_ANNOTATION void AnnotateRWLockAcquired(const char*, int, const void* lock, long) {
  comes_after(lock);
}
MAZURKA_ANNOTATION void AnnotateRWLockReleased(const char*, int, const void* lock, long) {
  comes_before(lock);
}

// Races that the program knows of. Whoever ignores its reads or its writes is taken to ignore both.
MAZURKA_ANNOTATION void AnnotateIgnoreReadsBegin(const char*, int) { ignore_races(1); }
MAZURKA_ANNOTATION void AnnotateIgnoreReadsEnd(const char*, int) { ignore_races(-1); }
MAZURKA_ANNOTATION void AnnotateIgnoreWritesBegin(const char*, int) { ignore_races(1); }
MAZURKA_ANNOTATION void AnnotateIgnoreWritesEnd(const char*, int) { ignore_races(-1); }
MAZURKA_ANNOTATION void AnnotateIgnoreSyncBegin(const char*, int) {}
MAZURKA_ANNOTATION void AnnotateIgnoreSyncEnd(const char*, int) {}
MAZURKA_ANNOTATION void AnnotateBenignRaceSized(const char*, int, const volatile void* memory,
                                                std::size_t size, const char*) {
  if (!scheduled()) return;
  const EngineScope scope;
  runtime->races.tolerate(reinterpret_cast<std::uintptr_t>(memory), size);
}
MAZURKA_ANNOTATION void AnnotateBenignRace(const char* file, int line, const volatile void* memory,
                                           const char* why) {
  AnnotateBenignRaceSized(file, line, memory, 1, why);
}
MAZURKA_ANNOTATION void WTFAnnotateBenignRaceSized(const char* file, int line,
                                                   const volatile void* memory, std::size_t size,
                                                   const char* why) {
  AnnotateBenignRaceSized(file, line, memory, size, why);
}
MAZURKA_ANNOTATION void WTFAnnotateHappensBefore(const char*, int, const void* object) {
  comes_before(object);
}
MAZURKA_ANNOTATION void WTFAnnotateHappensAfter(const char*, int, const void* object) {
  comes_after(object);
}

MAZURKA_ANNOTATION void AnnotateThreadName(const char*, int, const char*) {}
MAZURKA_ANNOTATION void AnnotateNewMemory(const char*, int, const volatile void*, std::size_t) {}
MAZURKA_ANNOTATION int RunningOnValgrind() { return 0; }
MAZURKA_ANNOTATION void __tsan_flush_memory() {}
MAZURKA_ANNOTATION void __tsan_check_no_mutexes_held() {}

// The barriers of ThreadSanitizer's own tests: those who meet there do not learn from each other.
MAZURKA_ANNOTATION void __tsan_testonly_barrier_init(unsigned* barrier, unsigned count) {
  if (scheduled()) runtime->barriers.set_up(barrier, count);
}
MAZURKA_ANNOTATION void __tsan_testonly_barrier_wait(unsigned* barrier) {
  if (scheduled()) runtime->barriers.wait(barrier, false, mazurka::threads::Meeting::silent);
}

// Time, chance, and the names of processes: the same in every execution.
//
// A clock is the process's own: it starts where its creator's stood, sleeping moves it by as much,
// and every look at it moves it too, by twice as much as the look before, so that a loop that
// waits for a time ends soon. Random numbers are a fixed row per process.
#include <errno.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/machine/confinement.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::threads::epoch;
using mazurka::threads::native;
using mazurka::threads::natively;
using mazurka::threads::Process;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::second;
using mazurka::threads::Teller;
using mazurka::threads::uptime;

namespace {

timespec as_timespec(std::int64_t nanoseconds) {
  return {nanoseconds / second, nanoseconds % second};
}

std::int64_t read_clock(clockid_t clock) {
  runtime->grounds().clocks = true;
  const bool real = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  return runtime->current().time.look() + (real ? epoch : uptime);
}

void pass_time(const timespec* time) {
  if (time == nullptr || time->tv_sec < 0) return;
  runtime->timing.sleep(time->tv_sec * second + time->tv_nsec);
}

std::uint64_t draw() {
  Process& self = runtime->current();
  self.watch.progress();
  runtime->grounds().chance = true;
  self.chance += 0x9e3779b97f4a7c15U;
  return mazurka::fingerprint_of(self.chance, mazurka::index(self.id)).low;
}

void fill(void* buffer, std::size_t size) {
  auto* bytes = static_cast<unsigned char*>(buffer);
  for (std::size_t at = 0; at < size; ++at) bytes[at] = static_cast<unsigned char>(draw());
}

}  // namespace

// --- clocks --------------------------------------------------------------------------------------

MAZURKA_HOOK int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!scheduled()) return natively("clock_gettime", clock, time);
  const timespec now = as_timespec(read_clock(clock));
  Teller(__builtin_return_address(0)).write(time, sizeof *time);
  *time = now;
  return 0;
}
MAZURKA_HOOK int gettimeofday(timeval* time, void* zone) noexcept {
  if (!scheduled()) return natively("gettimeofday", time, zone);
  const timespec now = as_timespec(read_clock(CLOCK_REALTIME));
  Teller(__builtin_return_address(0)).write(time, sizeof *time);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}
MAZURKA_HOOK time_t time(time_t* where) noexcept {
  if (!scheduled()) return natively<time_t>("time", where);
  const time_t now = read_clock(CLOCK_REALTIME) / second;
  if (where == nullptr) return now;
  Teller(__builtin_return_address(0)).write(where, sizeof *where);
  return *where = now;
}
MAZURKA_HOOK clock_t clock() noexcept {
  if (!scheduled()) return natively<clock_t>("clock");
  return static_cast<clock_t>(read_clock(CLOCK_MONOTONIC) / 1000);
}
MAZURKA_HOOK int timespec_get(timespec* time, int base) noexcept {
  if (!scheduled()) return natively("timespec_get", time, base);
  const timespec now = as_timespec(read_clock(CLOCK_REALTIME));
  Teller(__builtin_return_address(0)).write(time, sizeof *time);
  *time = now;
  return base;
}

// Whoever sleeps or yields lets nobody in particular go first: every order is explored anyway.
MAZURKA_HOOK int sched_yield() noexcept { return scheduled() ? 0 : native().sched_yield(); }
MAZURKA_SITE_HOOK(unsigned, sleep, unsigned seconds) {
  if (!scheduled()) return native().sleep(seconds);
  runtime->timing.sleep(static_cast<std::int64_t>(seconds) * second);
  return 0;
}
MAZURKA_SITE_HOOK(int, usleep, unsigned microseconds) {
  if (!scheduled()) return native().usleep(microseconds);
  runtime->timing.sleep(static_cast<std::int64_t>(microseconds) * 1000);
  return 0;
}
MAZURKA_SITE_HOOK(int, nanosleep, const timespec* wanted, timespec* left) {
  if (!scheduled()) return native().nanosleep(wanted, left);
  pass_time(wanted);
  return 0;
}
MAZURKA_SITE_HOOK(int, clock_nanosleep, clockid_t clock, int flags, const timespec* wanted,
                  timespec* left) {
  if (!scheduled()) return native().clock_nanosleep(clock, flags, wanted, left);
  if ((flags & TIMER_ABSTIME) == 0) {
    pass_time(wanted);
  } else {
    runtime->timing.set_deadline(*wanted);
    runtime->timing.pass_deadline();
  }
  return 0;
}

// --- chance --------------------------------------------------------------------------------------

MAZURKA_HOOK int rand() noexcept {
  return scheduled() ? static_cast<int>(draw() >> 33U) : natively("rand");
}
MAZURKA_HOOK void srand(unsigned seed) noexcept {
  if (scheduled()) {
    runtime->current().chance = seed;
  } else {
    natively<void>("srand", seed);
  }
}
MAZURKA_HOOK long random() noexcept {
  return scheduled() ? static_cast<long>(draw() >> 33U) : natively<long>("random");
}
MAZURKA_HOOK void srandom(unsigned seed) noexcept {
  if (scheduled()) {
    runtime->current().chance = seed;
  } else {
    natively<void>("srandom", seed);
  }
}
MAZURKA_HOOK long lrand48() noexcept {
  return scheduled() ? static_cast<long>(draw() >> 33U) : natively<long>("lrand48");
}
MAZURKA_HOOK long mrand48() noexcept {
  return scheduled() ? static_cast<long>(static_cast<int>(draw())) : natively<long>("mrand48");
}
MAZURKA_HOOK double drand48() noexcept {
  if (!scheduled()) return natively<double>("drand48");
  return static_cast<double>(draw() >> 11U) / static_cast<double>(1ULL << 53U);
}
MAZURKA_HOOK void srand48(long seed) noexcept {
  if (scheduled()) {
    runtime->current().chance = static_cast<std::uint64_t>(seed);
  } else {
    natively<void>("srand48", seed);
  }
}
MAZURKA_HOOK ssize_t getrandom(void* buffer, std::size_t size, unsigned flags) {
  if (!scheduled()) return natively<ssize_t>("getrandom", buffer, size, flags);
  Teller(__builtin_return_address(0)).write(buffer, size);
  fill(buffer, size);
  return static_cast<ssize_t>(size);
}
MAZURKA_HOOK int getentropy(void* buffer, std::size_t size) {
  if (!scheduled()) return natively("getentropy", buffer, size);
  Teller(__builtin_return_address(0)).write(buffer, size);
  fill(buffer, size);
  return 0;
}
// std::random_device::_M_getval(): where the library's own answer would come from the machine.
MAZURKA_HOOK unsigned mazurka_random_device(void* device) asm("_ZNSt13random_device9_M_getvalEv");
MAZURKA_HOOK unsigned mazurka_random_device(void* device) {
  if (!scheduled()) return natively<unsigned>("_ZNSt13random_device9_M_getvalEv", device);
  return static_cast<unsigned>(draw());
}

// --- names ---------------------------------------------------------------------------------------

MAZURKA_HOOK pid_t getpid() noexcept {
  return scheduled() ? mazurka::threads::own_number : natively("getpid");
}
MAZURKA_HOOK pid_t getppid() noexcept {
  return scheduled() ? mazurka::threads::parent_number : natively("getppid");
}
MAZURKA_HOOK pid_t gettid() noexcept {
  return scheduled() ? mazurka::threads::own_number +
                           static_cast<pid_t>(mazurka::index(runtime->current().id))
                     : natively("gettid");
}
MAZURKA_HOOK int sched_getcpu() noexcept { return scheduled() ? 0 : natively("sched_getcpu"); }

// The vocabulary of the threads front-end: what its processes touch, and what commutes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/vocabulary.hpp"

namespace mazurka::threads {

namespace kind {
inline constexpr std::uint8_t memory = 0;
inline constexpr std::uint8_t mutex = 1;      // pthread mutexes, guards of static variables, once
inline constexpr std::uint8_t condition = 2;  // condition variables, and what futexes wait for
inline constexpr std::uint8_t gate = 3;       // spin locks, semaphores
inline constexpr std::uint8_t barrier = 4;
inline constexpr std::uint8_t variable = 5;  // atomic, where graphs are explored (GraphStep)
inline constexpr std::uint8_t read_write_lock = 6;
inline constexpr std::uint8_t latch = 7;
inline constexpr std::uint8_t phased_barrier = 8;  // std::barrier
inline constexpr std::uint8_t count = 9;
}  // namespace kind

namespace memory_mode {
inline constexpr std::uint8_t read = 0;
inline constexpr std::uint8_t write = 1;
inline constexpr std::uint8_t update = 2;
// In an indivisible section, whose process remembers only what the section returns. What it may
// write it may also leave as it was.
inline constexpr std::uint8_t section_read = 3;
inline constexpr std::uint8_t section_write = 4;
inline constexpr std::uint8_t compare_exchange = 5;  // if it fails it was a read
// Updates whose results nobody uses: those of one mode leave the same value in any order.
inline constexpr std::uint8_t add = 6;  // or subtract
inline constexpr std::uint8_t flip_bits = 7;
inline constexpr std::uint8_t set_bits = 8;
inline constexpr std::uint8_t clear_bits = 9;
// The memory is freed, or its thread ends. Not a write: the order of two writes that nobody
// observes need not be explored, but an access after the end is an error.
inline constexpr std::uint8_t end = update;
inline constexpr std::uint8_t adding_up[] = {add, flip_bits, set_bits, clear_bits};

[[nodiscard]] constexpr bool reads(std::uint8_t mode) { return mode != write; }
[[nodiscard]] constexpr bool writes(std::uint8_t mode) { return mode != read; }
[[nodiscard]] constexpr bool adds_up(std::uint8_t mode) { return mode >= add; }
}  // namespace memory_mode

namespace mutex_mode {
inline constexpr std::uint8_t lock = 0;  // guarded: the mutex is free
inline constexpr std::uint8_t unlock = 1;
inline constexpr std::uint8_t try_lock = 2;
// Of the competition's atomic blocks: what is not done while somebody is in one (guarded: nobody
// is), and what is done in one.
inline constexpr std::uint8_t heed = 3;
inline constexpr std::uint8_t hold = 4;
inline constexpr std::uint8_t found_held = 5;  // a try_lock that failed
inline constexpr std::uint8_t begin = 6;       // of an atomic block; guarded: nobody is in one
}  // namespace mutex_mode

namespace condition_mode {
inline constexpr std::uint8_t wait = 0;
inline constexpr std::uint8_t signal = 1;
inline constexpr std::uint8_t leave = 2;  // without having been signalled, or after
inline constexpr std::uint8_t own = 3;    // it is initialised or destroyed
}  // namespace condition_mode

namespace gate_mode {
inline constexpr std::uint8_t pass = 0;  // guarded: the gate's number suits the wish
inline constexpr std::uint8_t change = 1;
inline constexpr std::uint8_t attempt = 2;     // to pass
inline constexpr std::uint8_t found_shut = 3;  // an attempt that failed
inline constexpr std::uint8_t own = 4;         // it is initialised or destroyed
// Of read-write locks only: who shares one does not disturb others who do.
inline constexpr std::uint8_t share = 5;  // guarded: nobody has it alone
inline constexpr std::uint8_t stop_sharing = 6;
inline constexpr std::uint8_t share_at_once = 7;  // an attempt that succeeded
inline constexpr std::uint8_t sharing[] = {share, stop_sharing, share_at_once};
}  // namespace gate_mode

/// What a process wants of a gate; the operand of its access.
namespace gate_wish {
inline constexpr std::uint16_t alone = 0;   // nobody holds it
inline constexpr std::uint16_t shared = 1;  // nobody holds it alone
inline constexpr std::uint16_t token = 2;   // its number is not zero
}  // namespace gate_wish

/// In the number of a gate that someone holds alone; the rest is who.
inline constexpr std::uint64_t gate_writer = std::uint64_t{1} << 32;

[[nodiscard]] inline bool gate_allows(std::uint16_t wish, std::uint64_t number) {
  switch (wish) {
    case gate_wish::alone: return number == 0;
    case gate_wish::shared: return (number & gate_writer) == 0;
    default: return number != 0;
  }
}

/// Who arrives for a round and who still has to leave the round before do not disturb each other.
/// That one is two rounds behind cannot happen, so rounds are told apart by whether they are odd.
namespace barrier_mode {
inline constexpr std::uint8_t arrive = 0;
inline constexpr std::uint8_t leave = 1;  // guarded: so many rounds are complete
inline constexpr std::uint8_t arrive_in_order = 2;
inline constexpr std::uint8_t destroy = 3;  // waits for those that are on their way out
inline constexpr std::uint8_t arrive_odd = 4;
inline constexpr std::uint8_t leave_odd = 5;
inline constexpr std::uint8_t own = 6;  // it is initialised, or one of C++ destroyed
}  // namespace barrier_mode

/// The value of a barrier: how many rounds are complete, and how many have arrived since.
[[nodiscard]] inline std::uint64_t barrier_value(std::uint64_t arrivals, std::uint64_t count) {
  return count == 0 ? 0 : (arrivals % count) << 32 | (arrivals / count);
}
/// Whether so many rounds are complete. Numbers of rounds begin anew at 65536: nobody waits for one
/// that is half of that away.
[[nodiscard]] inline bool rounds_are_complete(std::uint16_t rounds, std::uint64_t value) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(value) - rounds) >= 0;
}

namespace latch_mode {
inline constexpr std::uint8_t count_down = 0;
inline constexpr std::uint8_t pass = 1;  // guarded: it is open; the operand tells which one
inline constexpr std::uint8_t look = 2;
inline constexpr std::uint8_t own = 3;  // it is initialised
}  // namespace latch_mode

/// The value of a latch: how many there have been at this address, and how often this one is still
/// to be counted down.
[[nodiscard]] inline std::uint64_t latch_value(std::uint64_t nth, std::uint64_t left) {
  return nth << 32 | std::min<std::uint64_t>(left, 0xffffffffU);
}
/// Whether the nth latch at the address is open, or gone.
[[nodiscard]] inline bool latch_is_open(std::uint16_t nth, std::uint64_t value) {
  return (value & 0xffffffffU) == 0 || static_cast<std::uint16_t>(value >> 32) != nth;
}

/// The value of a mutex, as guards see it: 0 when free.
inline constexpr std::uint64_t mutex_free = 0;

/// On x86 whoever takes a lock, or does anything else with a primitive but unlock it, look whether
/// it is open, initialise or destroy it, waits until its writes are seen by all.
[[nodiscard]] inline bool is_barrier_of_tso(Footprint footprint) {
  const auto is_barrier = [](const Access& access) {
    switch (access.kind) {
      case kind::memory:
      case kind::variable: return false;
      case kind::mutex: return access.mode != mutex_mode::unlock;
      case kind::latch: return access.mode == latch_mode::count_down;
      case kind::condition: return access.mode != condition_mode::own;
      case kind::gate:
      case kind::read_write_lock: return access.mode != gate_mode::own;
      case kind::barrier: return access.mode != barrier_mode::own;
      case kind::phased_barrier:
        return access.mode != barrier_mode::leave && access.mode != barrier_mode::leave_odd &&
               access.mode != barrier_mode::own;
      default: return true;
    }
  };
  return std::any_of(footprint.begin(), footprint.end(), is_barrier);
}

inline void add_memory(Vocabulary& vocabulary) {
  using namespace memory_mode;
  vocabulary.add_kind(
      kind::memory, "memory",
      {{read, {.name = "read", .writes = false, .keeps = true}},
       {write, {.name = "write", .reads = false}},
       {update, {.name = "update", .keeps = true}},
       {section_read, {.name = "read in a section", .writes = false}},
       {section_write, {.name = "write in a section"}},
       {compare_exchange, {.name = "compare-exchange", .keeps = true, .attempts = true}},
       {add, {.name = "add", .adds_up = true}},
       {flip_bits, {.name = "flip bits", .adds_up = true}},
       {set_bits, {.name = "set bits", .adds_up = true}},
       {clear_bits, {.name = "clear bits", .adds_up = true}}});
  for (const std::uint8_t one : {memory_mode::read, memory_mode::section_read}) {
    for (const std::uint8_t other : {memory_mode::read, memory_mode::section_read}) {
      vocabulary.declare_independent(kind::memory, one, other);
    }
  }
  for (const std::uint8_t mode : memory_mode::adding_up) {
    vocabulary.declare_independent(kind::memory, mode, mode);
  }
}

/// A writer waits for all who share the lock. That an attempt to write fails depends on them, too.
inline void add_read_write_lock(Vocabulary& vocabulary) {
  using namespace gate_mode;
  vocabulary.add_kind(
      kind::read_write_lock, "read-write lock",
      {{pass, {"lock", gate_allows}},
       {change, {"unlock"}},
       {attempt, {.name = "attempt", .attempts = true, .silent = true}},
       {found_shut, {.name = "attempt in vain", .writes = false, .silent = true}},
       {own, {"initialise or destroy"}},
       {share, {.name = "share", .guard = gate_allows, .moves = 1, .in_order = pass}},
       {stop_sharing, {.name = "stop sharing", .moves = -1, .in_order = change}},
       {share_at_once,
        {.name = "attempt, and share", .silent = true, .moves = 1, .in_order = attempt}}});
  vocabulary.declare_independent(kind::read_write_lock, gate_mode::found_shut,
                                 gate_mode::found_shut);
  for (const std::uint8_t one : gate_mode::sharing) {
    for (const std::uint8_t other : gate_mode::sharing) {
      vocabulary.declare_independent(kind::read_write_lock, one, other);
    }
  }
}

/// Of POSIX or of C++.
inline void add_barrier(Vocabulary& vocabulary, std::uint8_t kind, std::string_view name) {
  using namespace barrier_mode;
  vocabulary.add_kind(kind, name,
                      {{arrive, {.name = "arrive", .counted = true}},
                       {leave, {"leave", rounds_are_complete}},
                       {arrive_in_order, {"arrive in order"}},
                       {destroy, {"destroy"}},
                       {arrive_odd, {.name = "arrive for an odd round", .counted = true}},
                       {leave_odd, {"leave an odd round", rounds_are_complete}},
                       {own, {"initialise"}}});
  constexpr std::uint8_t arrivals[] = {barrier_mode::arrive, barrier_mode::arrive_odd};
  constexpr std::uint8_t departures[] = {barrier_mode::leave, barrier_mode::leave_odd};
  for (std::size_t one = 0; one < 2; ++one) {
    for (std::size_t other = 0; other < 2; ++other) {
      vocabulary.declare_independent(kind, arrivals[one], arrivals[other]);
      vocabulary.declare_independent(kind, departures[one], departures[other]);
    }
    vocabulary.declare_independent(kind, departures[one], arrivals[1 - one]);
    vocabulary.declare_independent(kind, departures[one], barrier_mode::destroy);
  }
}

/// Nobody can tell in which order a latch was counted down.
inline void add_latch(Vocabulary& vocabulary) {
  vocabulary.add_kind(
      kind::latch, "latch",
      {{latch_mode::count_down, {.name = "count down", .counted = true}},
       {latch_mode::pass, {.name = "pass", .guard = latch_is_open, .writes = false}},
       {latch_mode::look, {.name = "look", .writes = false, .keeps = true}},
       {latch_mode::own, {.name = "initialise"}}});
  vocabulary.declare_independent(kind::latch, latch_mode::count_down, latch_mode::count_down);
  for (const std::uint8_t one : {latch_mode::pass, latch_mode::look}) {
    for (const std::uint8_t other : {latch_mode::pass, latch_mode::look}) {
      vocabulary.declare_independent(kind::latch, one, other);
    }
  }
}

[[nodiscard]] inline Vocabulary make_vocabulary() {
  Vocabulary vocabulary;
  add_memory(vocabulary);
  // Whether an attempt at what others wait for commutes with them is not judged by values: together
  // with observers, a search that did so lost an outcome (tests/litmus/trylock_thrice.c).
  const auto free = [](std::uint16_t, std::uint64_t value) { return value == mutex_free; };
  using namespace mutex_mode;
  vocabulary.add_kind(kind::mutex, "mutex",
                      {{lock, {.name = "lock", .guard = free}},
                       {unlock, {.name = "unlock"}},
                       {try_lock, {.name = "try_lock", .attempts = true, .silent = true}},
                       {heed, {.name = "heed", .guard = free, .writes = false, .silent = true}},
                       {hold, {.name = "hold", .writes = false, .silent = true}},
                       {found_held, {.name = "try_lock in vain", .writes = false, .silent = true}},
                       {begin, {.name = "begin a block", .guard = free, .silent = true}}});
  vocabulary.declare_independent(kind::mutex, mutex_mode::found_held, mutex_mode::found_held);
  vocabulary.declare_independent(kind::mutex, mutex_mode::heed, mutex_mode::heed);
  // Who signals has woken somebody or nobody, who leaves was signalled or was not: both know it.
  vocabulary.add_kind(kind::condition, "condition",
                      {{condition_mode::wait, {.name = "wait"}},
                       {condition_mode::signal, {.name = "signal", .keeps = true}},
                       {condition_mode::leave, {.name = "leave", .keeps = true}},
                       {condition_mode::own, {.name = "initialise or destroy"}}});
  // Whoever waits is woken by choice, not in order of arrival: two arrivals commute.
  vocabulary.declare_independent(kind::condition, condition_mode::wait, condition_mode::wait);
  vocabulary.declare_independent(kind::condition, condition_mode::wait, condition_mode::leave);
  vocabulary.declare_independent(kind::condition, condition_mode::leave, condition_mode::leave);
  vocabulary.add_kind(
      kind::gate, "gate",
      {{gate_mode::pass, {"pass", gate_allows, GuardPartners::every}},
       {gate_mode::change, {"change"}},
       {gate_mode::attempt, {.name = "attempt", .attempts = true, .silent = true}},
       {gate_mode::found_shut, {.name = "attempt in vain", .writes = false, .silent = true}},
       {gate_mode::own, {"initialise or destroy"}}});
  vocabulary.declare_independent(kind::gate, gate_mode::found_shut, gate_mode::found_shut);
  add_barrier(vocabulary, kind::barrier, "barrier");
  vocabulary.add_kind(kind::variable, "variable", {{0, {.name = "access"}}});
  vocabulary.declare_independent(kind::variable, 0, 0);
  add_read_write_lock(vocabulary);
  add_latch(vocabulary);
  add_barrier(vocabulary, kind::phased_barrier, "phased barrier");
  return vocabulary;
}

}  // namespace mazurka::threads

// The vocabulary of the threads front-end: what its processes touch, and what commutes.
#pragma once

#include <cstdint>

#include "core/vocabulary.hpp"

namespace mazurka::threads {

namespace kind {
inline constexpr std::uint8_t memory = 0;
inline constexpr std::uint8_t mutex = 1;  // pthread mutexes, guards of static variables, once
inline constexpr std::uint8_t condition = 2;
}  // namespace kind

namespace memory_mode {
inline constexpr std::uint8_t read = 0;
inline constexpr std::uint8_t write = 1;
inline constexpr std::uint8_t update = 2;
// In an indivisible section, whose process remembers only what the section returns. What it may
// write it may also leave as it was.
inline constexpr std::uint8_t section_read = 3;
inline constexpr std::uint8_t section_write = 4;
}  // namespace memory_mode

namespace mutex_mode {
inline constexpr std::uint8_t lock = 0;  // guarded: the mutex is free
inline constexpr std::uint8_t unlock = 1;
inline constexpr std::uint8_t try_lock = 2;
}  // namespace mutex_mode

namespace condition_mode {
inline constexpr std::uint8_t wait = 0;
inline constexpr std::uint8_t signal = 1;
}  // namespace condition_mode

/// The value of a mutex, as guards see it: 0 when free.
inline constexpr std::uint64_t mutex_free = 0;

[[nodiscard]] inline Vocabulary make_vocabulary() {
  Vocabulary vocabulary;
  vocabulary.add_kind("memory", {{.name = "read", .writes = false, .keeps = true},
                                 {.name = "write", .reads = false},
                                 {.name = "update", .keeps = true},
                                 {.name = "read in a section", .writes = false},
                                 {.name = "write in a section"}});
  for (const std::uint8_t one : {memory_mode::read, memory_mode::section_read}) {
    for (const std::uint8_t other : {memory_mode::read, memory_mode::section_read}) {
      vocabulary.declare_independent(kind::memory, one, other);
    }
  }
  vocabulary.add_kind(
      "mutex", {{"lock", [](std::uint16_t, std::uint64_t value) { return value == mutex_free; }},
                {"unlock"},
                {"try_lock"}});
  vocabulary.add_kind("condition", {{"wait"}, {"signal"}});
  // Whoever waits is woken by choice, not in order of arrival: two arrivals commute.
  vocabulary.declare_independent(kind::condition, condition_mode::wait, condition_mode::wait);
  return vocabulary;
}

}  // namespace mazurka::threads

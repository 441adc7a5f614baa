// Where the memory of the program under test lies.
//
// Addresses must not depend on the schedule, or the same variable would have two names. So every
// process owns a fixed slot of address space: its stack and a heap (heaps.hpp).
//
//   slot:  | guard | stack ........ | heap .......................... |
//
// Static data is put back from a copy (snapshot.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/ids.hpp"

namespace mazurka::threads {

inline constexpr std::uintptr_t zone_base = 0x1000'0000'0000;
inline constexpr std::size_t slot_size = std::size_t{512} << 20;
inline constexpr std::size_t guard_size = std::size_t{64} << 10;
inline constexpr std::size_t stack_size = std::size_t{8} << 20;  // guard included
inline constexpr std::size_t zone_size = slot_size * (max_processes + 1);

// Processes other than the first have the thread pointers of parked threads (fiber.hpp), whose
// stacks lie here. Thread-local variables are at their tops.
inline constexpr std::uintptr_t parked_zone = 0x3100'0000'0000;
inline constexpr std::size_t parked_size = std::size_t{256} << 10;

/// Of the system's memory. Not the same on all machines.
[[nodiscard]] std::size_t page_size();

[[nodiscard]] constexpr bool in_zone(std::uintptr_t address) {
  return address - zone_base < zone_size;
}
[[nodiscard]] constexpr bool in_parked_zone(std::uintptr_t address) {
  return address - parked_zone < parked_size * max_processes;
}
/// Which of the parked threads it belongs to, from 0.
[[nodiscard]] constexpr std::size_t parked_of(std::uintptr_t address) {
  return (address - parked_zone) / parked_size;
}
[[nodiscard]] constexpr std::size_t slot_of(std::uintptr_t address) {
  return (address - zone_base) / slot_size;
}
[[nodiscard]] constexpr std::uintptr_t slot_begin(std::size_t slot) {
  return zone_base + slot * slot_size;
}
[[nodiscard]] constexpr bool in_stack_of(std::size_t slot, std::uintptr_t address) {
  return address - slot_begin(slot) < stack_size;
}
[[nodiscard]] constexpr std::uintptr_t stack_top(std::size_t slot) {
  return slot_begin(slot) + stack_size;
}

constexpr std::uintptr_t round_up(std::uintptr_t value, std::size_t to) {
  return (value + to - 1) / to * to;
}
constexpr std::uintptr_t round_down(std::uintptr_t value, std::size_t to) {
  return value / to * to;
}

}  // namespace mazurka::threads

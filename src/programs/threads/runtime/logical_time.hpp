// Time as the program sees it, and how to tell rounds of a loop apart that differ in time alone.
//
// Each process has a clock of its own (hooks_time.cpp). A loop that waits for a limited time, again
// and again, leaves another time on its stack in every round: a deadline, the moment it looked at
// the clock. To be recognised as a waiting loop (runtime_spins.cpp) all these must have moved by
// exactly as much as the clock has. A time that was fixed before the loop has not: then rounds are
// different, as they must be, and the loop ends by itself. In whole seconds, or other units than
// that of the clock, nobody can tell whether a time has moved with it: rounds count as different.
//
// What is a time shows in its size: it is near the present one, in one of the usual units. Clocks
// therefore start at values that other numbers, pairs of small ones and addresses hardly ever have,
// in any unit. To take another number for a time costs an answer in time, to overlook one a
// behaviour; so times count as such for half a year
// in both directions.
#pragma once

#include <bit>
#include <cstdint>

#include "programs/threads/runtime/memory.hpp"

namespace mazurka::threads {

inline constexpr std::int64_t second = 1'000'000'000;
inline constexpr std::int64_t epoch = 1'700'000'000 * second;   // when real-time clocks start
inline constexpr std::int64_t uptime = 512'345'678 * second;    // when monotonic clocks start
inline constexpr std::int64_t beginning = 1'123'456'789;        // of the program, after that
inline constexpr std::int64_t soon = 200 * 24 * 3600 * second;  // so near are times to each other

struct LogicalTime {
  std::int64_t now = 0;       // nanoseconds since the program started
  std::int64_t deadline = 0;  // the last one that was waited for
};

/// What may be times, for a process that has this time now.
class Times {
 public:
  explicit constexpr Times(std::int64_t now) : now_(now) {}

  /// A point in time in nanoseconds.
  [[nodiscard]] constexpr bool is_moment(std::uint64_t word) const { return is_in(word, 1); }

  /// A point in time in seconds and nanoseconds.
  [[nodiscard]] constexpr bool is_timespec(std::uint64_t seconds, std::uint64_t rest) const {
    return rest < static_cast<std::uint64_t>(second) && is_in(seconds, second);
  }

  /// Whether there is one in the word: in one of the usual units, as a number of seconds in half of
  /// the word, or with a fraction. (Halves of addresses on the heap and on stacks may well be such
  /// a number.)
  [[nodiscard]] constexpr bool may_be_in(std::uint64_t word) const {
    if (is_in_some_unit(word)) return true;
    if (in_zone(word)) return false;
    if (is_in(word >> 32U, second) || is_in(word & 0xffff'ffffU, second)) return true;
    const auto number = std::bit_cast<double>(word);
    return number >= 1e8 && number < 9e18 && is_in_some_unit(static_cast<std::uint64_t>(number));
  }

 private:
  /// Whether the word is about so many of these units since one of the clocks started.
  [[nodiscard]] constexpr bool is_in(std::uint64_t word, std::int64_t unit) const {
    const auto near = [&](std::int64_t time) {
      const auto distance = static_cast<std::int64_t>(word) - time / unit;
      return distance >= -soon / unit && distance <= soon / unit;
    };
    return near(epoch) || near(uptime) || near(epoch + now_) || near(uptime + now_);
  }
  [[nodiscard]] constexpr bool is_in_some_unit(std::uint64_t word) const {
    return is_in(word, 1) || is_in(word, 1'000) || is_in(word, 1'000'000) || is_in(word, second);
  }

  std::int64_t now_;  // nanoseconds since the program started
};

}  // namespace mazurka::threads

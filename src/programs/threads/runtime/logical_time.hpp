// Time as the program sees it, and how to tell rounds of a loop apart that differ in time alone.
//
// Each process has a clock of its own (hooks_time.cpp). A loop that waits for a limited time, again
// and again, leaves another time on its stack in every round: a deadline, the moment it looked at
// the clock. To be recognised as a waiting loop (runtime_spins.cpp) all these must have moved by
// exactly as much as the clock has. A time that was fixed before the loop has not: then rounds are
// different, as they must be, and the loop ends by itself.
//
// What is a time shows in its size. Clocks therefore start at values that numbers of another
// meaning, and addresses, hardly ever have. To take another number for a time does no harm unless
// it moves by exactly as many nanoseconds as the clock.
#pragma once

#include <cstdint>

namespace mazurka::threads {

inline constexpr std::int64_t second = 1'000'000'000;
inline constexpr std::int64_t epoch = 1'700'000'000 * second;  // when real-time clocks start
inline constexpr std::int64_t uptime = 7'654'321 * second;     // when monotonic clocks start
inline constexpr std::int64_t beginning = 1'123'456'789;       // of the program, after that

struct LogicalTime {
  std::int64_t now = 0;       // nanoseconds since the program started
  std::int64_t deadline = 0;  // the last one that was waited for
};

/// Whether the word is about a number of these units since one of the clocks started.
[[nodiscard]] constexpr bool is_time_in(std::uint64_t word, std::int64_t unit) {
  const auto near = [&](std::int64_t base, std::int64_t window) {
    const auto distance = static_cast<std::int64_t>(word) - base / unit;
    return distance >= -window / unit && distance <= window / unit;
  };
  return near(epoch, epoch / 8) || near(uptime, uptime / 2);
}

/// A point in time in nanoseconds.
[[nodiscard]] constexpr bool is_moment(std::uint64_t word) { return is_time_in(word, 1); }

/// A point in time in seconds and nanoseconds.
[[nodiscard]] constexpr bool is_timespec(std::uint64_t seconds, std::uint64_t rest) {
  return rest < static_cast<std::uint64_t>(second) && is_time_in(seconds, second);
}

/// A point in time in one of the usual units.
[[nodiscard]] constexpr bool may_be_time(std::uint64_t word) {
  return is_time_in(word, 1) || is_time_in(word, 1'000) || is_time_in(word, 1'000'000) ||
         is_time_in(word, second);
}

}  // namespace mazurka::threads

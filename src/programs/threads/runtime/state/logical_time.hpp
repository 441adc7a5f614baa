// Time as the program sees it, and how to tell rounds of a loop apart that differ in time alone.
//
// Each process has a clock of its own: it stands still but for its own sleeping and for a little at
// each look, more and more. A loop that looks at the clock in every round, to wait for a limited
// time again and again, or until a deadline, leaves another time on its stack each time. To be
// recognised as a waiting loop (loops/spin_recognition.cpp) all that has changed must have moved by
// exactly as much as the clock has.
//
// But the loop may compare the clock with a deadline that was fixed before, in whatever form: then
// rounds look the same, and yet time decides how long they go on. So a process whose rounds look
// the same is first given a round in which ages pass, longer than any time that programs wait for.
// If it waits for a moment, that has come, and the loop ends, as it must be able to. Only if it
// comes back once more in the same state, does time not matter to it. No behaviour is lost by that:
// rounds that look the same before the deadline might as well not have been.
#pragma once

#include <cstdint>
#include <utility>

namespace mazurka::threads {

inline constexpr std::int64_t second = 1'000'000'000;
inline constexpr std::int64_t epoch = 1'700'000'000 * second;  // when real-time clocks start
inline constexpr std::int64_t uptime = 7'654'321 * second;     // when monotonic clocks start
inline constexpr std::int64_t beginning = 1'123'456'789;       // of the program, after that
inline constexpr std::int64_t ages = 20 * 24 * 3600 * second;
inline constexpr std::int64_t last_ages = 1000 * ages;  // from then on they do not pass any more

struct LogicalTime {
  std::int64_t now = 0;       // nanoseconds since the program started
  std::int64_t deadline = 0;  // the last one that was waited for
  std::int64_t step = 500;    // so much has passed at the latest look
  std::uint32_t looks = 0;    // so many there were
  bool ages_pass = false;     // until the next one
  friend bool operator==(const LogicalTime&, const LogicalTime&) = default;

  std::int64_t look() {
    ++looks;
    if (std::exchange(ages_pass, false) && now < last_ages) {
      now += ages;
    } else {
      if (step < 3600 * second) step *= 2;
      now += step;
    }
    return now;
  }
};

}  // namespace mazurka::threads

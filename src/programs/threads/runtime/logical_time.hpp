// Time as the program sees it, and how to tell rounds of a loop apart that differ in time alone.
//
// Each process has a clock of its own (hooks_time.cpp). A loop that waits for a limited time, again
// and again, leaves another time on its stack in every round: a deadline, the moment it looked at
// the clock. To be recognised as a waiting loop (runtime_spins.cpp) its rounds are compared with
// times taken relative to now. A time that was fixed before the loop is another one then in every
// round, as it must be: such a loop ends by itself.
//
// What is a time is guessed by its size. Clocks therefore start at values that numbers of another
// meaning hardly ever have.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace mazurka::threads {

inline constexpr std::int64_t second = 1'000'000'000;
inline constexpr std::int64_t epoch = 1'700'000'000 * second;  // when real-time clocks start
inline constexpr std::int64_t uptime = 7'654'321 * second;     // when monotonic clocks start

struct LogicalTime {
  std::int64_t now = 0;       // nanoseconds since the program started
  std::int64_t deadline = 0;  // the last one that was waited for

  /// The word, or what stands for it if it is a time.
  [[nodiscard]] std::uint64_t relative(std::uint64_t word) const {
    std::uint64_t result = word;
    if (is_time(word, result)) return result;
    if (word != 0 && (word == part(now) || word == part(now) / 1000)) return token;
    if (word != 0 && word == part(deadline)) return token + 1 + part(deadline - now);
    const std::int64_t today = (epoch + now) / second;
    for (const unsigned shift : {0U, 32U}) {
      const std::int64_t difference =
          static_cast<std::int64_t>((word >> shift) & 0xffffffffU) - today;
      if (std::abs(difference) > window / second) continue;
      result &= ~(std::uint64_t{0xffffffffU} << shift);
      result ^= token + static_cast<std::uint64_t>(difference) * (shift + 3);
    }
    return result;
  }

  /// Whether this is a point in time, as an integer or as a floating-point number.
  [[nodiscard]] bool is_time(std::uint64_t word) const {
    std::uint64_t ignored = 0;
    return is_time(word, ignored);
  }

 private:
  static constexpr std::int64_t window = 86'400 * second;
  static constexpr std::uint64_t token = 0xa3b1956e4d7f2c08U;

  static std::uint64_t part(std::int64_t time) { return static_cast<std::uint64_t>(time % second); }

  bool is_time(std::uint64_t word, std::uint64_t& relative) const {
    double number = 0;
    std::memcpy(&number, &word, sizeof number);
    for (const std::int64_t base : {epoch + now, uptime + now}) {
      for (const std::int64_t unit : {std::int64_t{1}, std::int64_t{1000}, second / 1000, second}) {
        const auto difference =
            static_cast<std::int64_t>(word - static_cast<std::uint64_t>(base / unit));
        if (difference >= -window / unit && difference <= window / unit) {
          relative =
              token ^ static_cast<std::uint64_t>(difference) * static_cast<std::uint64_t>(unit + 2);
          return true;
        }
        const double distance = number - static_cast<double>(base) / static_cast<double>(unit);
        if (std::fabs(distance) <= static_cast<double>(window) / static_cast<double>(unit)) {
          relative = token + static_cast<std::uint64_t>(
                                 static_cast<std::int64_t>(distance * static_cast<double>(unit)));
          return true;
        }
      }
    }
    return false;
  }
};

}  // namespace mazurka::threads

// What share of a search its parts take.
//
// Looking at the clock is dear beside a single test, so only one round of the search in sixteen is
// measured, the whole of it and the parts: shares of the same rounds add up to no more than one.
#pragma once

#include <chrono>
#include <cstdint>

namespace mazurka::stateful {

class Timing {
 public:
  void begin_round() { on_ = rounds_++ % 16 == 0; }
  [[nodiscard]] bool on() const { return on_; }
  /// Of the rounds that were measured.
  double whole = 0;

 private:
  std::uint64_t rounds_ = 0;
  bool on_ = false;
};

/// Adds the time of a scope to a counter, where this round is measured.
class Stopwatch {
 public:
  Stopwatch(double& seconds, const Timing& timing) : seconds_(seconds), on_(timing.on()) {
    if (on_) begun_ = Clock::now();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    if (on_) seconds_ += std::chrono::duration<double>(Clock::now() - begun_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  bool on_;
  Clock::time_point begun_;
};

}  // namespace mazurka::stateful

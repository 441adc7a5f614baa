// Adds the time of a scope to a counter.
//
// Every scope is measured, with the clock that measures the whole search: a sample, scaled up, can
// come out larger than the whole.
#pragma once

#include <chrono>

namespace mazurka::stateful {

class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds), begun_(Clock::now()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - begun_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point begun_;
};

}  // namespace mazurka::stateful

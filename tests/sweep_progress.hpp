// How far a sweep is: a line that is redrawn on a terminal, a line now and then elsewhere.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

namespace mazurka {

class SweepProgress {
 public:
  explicit SweepProgress(std::uint64_t programs) : programs_(programs) {}

  void show(std::uint64_t done, std::uint64_t failed) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    if (!terminal_ && seconds - latest_ < seconds_between_lines) return;
    latest_ = seconds;
    const double rate = static_cast<double>(done) / seconds;
    const double left = rate > 0 ? static_cast<double>(programs_ - done) / rate : 0;
    std::fprintf(stderr, "%s%llu of %llu programs, %.0f/s, %.0f s left, %llu failed%s",
                 terminal_ ? "\r" : "", static_cast<unsigned long long>(done),
                 static_cast<unsigned long long>(programs_), rate, left,
                 static_cast<unsigned long long>(failed), terminal_ ? "   " : "\n");
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double seconds_between_lines = 30;

  std::uint64_t programs_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  Clock::time_point begun_ = Clock::now();
  double latest_ = 0;
};

}  // namespace mazurka

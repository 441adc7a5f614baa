// Time as the current process sees it: what it sleeps and waits for.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "programs/threads/runtime/loops/spin_recognition.hpp"
#include "programs/threads/runtime/part.hpp"
#include "programs/threads/runtime/state/logical_time.hpp"

namespace mazurka::threads {

class Timing : public Part {
 public:
  Timing(Scheduler& scheduler, SpinRecognition& spins) : Part(scheduler), spins_(spins) {}

  /// The process sleeps for so many nanoseconds.
  void sleep(std::int64_t time) {
    EngineScope scope;
    spins_.arrive(static_cast<std::uintptr_t>(Action::spin), static_cast<std::uint64_t>(time) | 1U);
    self().time.now += time;
  }
  /// It is about to wait until then, by the clock that fits; and that moment came.
  void set_deadline(const timespec& time) {
    constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max() / 2;
    const std::int64_t wanted =
        time.tv_sec > latest / second ? latest : time.tv_sec * second + time.tv_nsec;
    self().time.deadline = wanted - (wanted >= epoch / 2 ? epoch : uptime);
  }
  void pass_deadline() { self().time.now = std::max(self().time.now, self().time.deadline); }

 private:
  SpinRecognition& spins_;
};

}  // namespace mazurka::threads

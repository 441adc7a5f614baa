// Watches a child that explores: advises it to stop when the user or its time demands so, and kills
// it when it does not listen.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>

#include "host/descriptor.hpp"
#include "host/launcher.hpp"
#include "host/sent_files.hpp"

namespace mazurka::host {

class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  /// Sockets on which the child asks about races, and tells what is in its files; negative: none.
  struct Lines {
    int races;
    int files;
  };
  Watch(const Launch& launch, std::optional<Clock::time_point> deadline, pid_t child,
        Progress& progress, Lines lines);

  /// Returns the child's wait status.
  int wait();

  [[nodiscard]] bool killed() const { return killed_; }
  [[nodiscard]] Fate killed_as() const { return killed_as_; }
  [[nodiscard]] bool by_user() const { return by_user_; }
  [[nodiscard]] bool by_memory() const { return by_memory_; }
  [[nodiscard]] bool by_time() const { return by_time_; }

 private:
  void judge(Clock::time_point now);
  void judge_memory(Clock::time_point now);
  void ask_to_stop(Clock::time_point now);
  void end_child(Fate fate);
  void doze();
  void answer_question();

  const Launch& launch_;
  std::optional<Clock::time_point> deadline_;
  pid_t child_;
  Progress& progress_;
  Lines lines_;
  ReceivedFiles files_;
  Descriptor pidfd_;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point next_progress_ = begun_ + std::chrono::milliseconds(200);
  Clock::time_point last_advance_ = begun_;
  std::uint64_t last_sign_ = 0;
  bool asked_ = false;
  Clock::time_point asked_at_;
  bool killed_ = false;
  Fate killed_as_ = Fate::unresponsive;
  bool by_user_ = false;
  bool by_memory_ = false;
  bool by_time_ = false;
};

}  // namespace mazurka::host

// Saves an exploration while it goes on: every few seconds, and when it is cut.
#pragma once

#include <chrono>

#include "core/explorer.hpp"
#include "core/program.hpp"
#include "core/session.hpp"
#include "driver/plan.hpp"
#include "driver/watcher.hpp"

namespace mazurka {

class Saver {
 public:
  Saver(const Plan& plan, Watcher& watcher, const Program& program, Session& session,
        Explorer& explorer);

  /// Goes on with the exploration that the plan names. Throws ArchiveError, and invalid_argument
  /// for a technique or program that can not.
  [[nodiscard]] bool resume();

  /// Between two executions.
  void pause();

  /// Why what is on disk is not where the search stands: errno of the latest attempt to save, or 0.
  [[nodiscard]] int failure() const { return failure_; }
  /// The search was cut, and where it stood then is on disk.
  [[nodiscard]] bool has_saved_the_end() const { return has_saved_the_end_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned pauses_per_look = 16;  // at the clock

  [[nodiscard]] bool resumable() const;
  [[nodiscard]] bool load();
  void save();
  [[nodiscard]] Clock::duration interval() const;

  const Plan& plan_;
  Watcher& watcher_;
  const Program& program_;
  Session& session_;
  Explorer& explorer_;
  bool saves_;
  int failure_ = 0;  // of the latest attempt
  bool has_saved_the_end_ = false;
  unsigned pauses_ = 0;
  Clock::time_point next_ = Clock::now() + interval();
};

}  // namespace mazurka

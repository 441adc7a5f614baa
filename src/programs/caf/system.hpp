// What one version of CAF is to the explorer: something that runs the program's main, delivers one
// message, releases what nobody holds, and lets time pass.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "programs/caf/traffic.hpp"

namespace mazurka::caf {

/// Who explores, as a version of CAF sees it.
class Explorer {
 public:
  Explorer() = default;
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;
  virtual ~Explorer() = default;

  /// Thrown through main: the execution is over.
  struct Over {};

  virtual Traffic& traffic() = 0;
  /// Main waits until a message was delivered to this actor. Nobody: until nothing is left.
  /// `may_give_up`: false if nothing is left instead. Throws Over.
  virtual bool wait(std::uint32_t actor, bool may_give_up) = 0;
  /// The program does what can not be explored.
  virtual void refuse(const std::string& what) = 0;
  /// Whether words for a chart are wanted.
  [[nodiscard]] virtual bool tells() const = 0;
};

class System {
 public:
  System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  virtual ~System() = default;

  /// Runs the program's main; from here on until clear() it belongs to this explorer.
  virtual void run_main(Explorer& explorer, const Rules& rules) = 0;
  /// Performs the delivery, with all that the actor does.
  virtual void deliver(std::uint32_t mail) = 0;

  /// Actors that nobody holds any more, and what is left of others.
  [[nodiscard]] virtual bool has_unreachable() = 0;
  virtual void release() = 0;
  /// Timeouts and delayed messages.
  [[nodiscard]] virtual bool has_timers() const = 0;
  virtual void pass_time() = 0;

  /// Actors that have not ended, of those that a program waits for.
  [[nodiscard]] virtual std::vector<std::uint32_t> running() const = 0;
  /// Messages that their receivers have skipped, in words.
  [[nodiscard]] virtual std::vector<std::string> left() const = 0;

  /// The execution is over: everything is as it was before main.
  virtual void clear() = 0;

  [[nodiscard]] virtual std::string name_of(std::uint32_t actor) const = 0;
  /// In words; empty unless they were asked for.
  [[nodiscard]] virtual std::string label(std::uint32_t mail) const = 0;
};

}  // namespace mazurka::caf

// Somebody who looks on while an execution goes on, and has a say in it.
//
// A schedule and sleeping steps are all that most techniques need. One that knows more (which
// states were explored from, which processes are due) gives the run a guide: it is told of each new
// event, may end the execution where it has reached a known state, and may choose who moves.
// Without a guide nothing virtual is called.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "core/process_set.hpp"
#include "core/step.hpp"

namespace mazurka {

class RunState;

class Guide {
 public:
  Guide() = default;
  Guide(const Guide&) = delete;
  Guide& operator=(const Guide&) = delete;
  virtual ~Guide() = default;

  /// The run has taken in a schedule; nothing is performed yet.
  virtual void started(const RunState& /*run*/) {}
  /// Somebody will be chosen now, after an event that is not shared with the execution before.
  virtual void arrived(const RunState& /*run*/) {}
  /// The step was added to the execution, and its effects are not known yet.
  virtual void committed(const RunState& /*run*/, const Step& /*step*/) {}
  /// What the latest event has changed, if the schedule records states. True: what can follow was
  /// explored elsewhere. The execution ends, as asleep.
  [[nodiscard]] virtual bool effects(const RunState& /*run*/, const Fingerprint& /*change*/) {
    return false;
  }

  struct Choice {
    enum class Kind : std::uint8_t {
      by_default,  // as without a guide
      process,     // this one, with its first outcome that is awake
      decision,    // this one, with this outcome
      nobody,      // the execution ends, as asleep
    };
    Kind kind = Kind::by_default;
    Decision decision{no_process, 0};
    bool nothing_else_either = false;  // Execution::nothing_else_either
  };
  /// Who moves, where the schedule leaves that open. Somebody can.
  [[nodiscard]] virtual Choice choose(const RunState& /*run*/) { return {}; }

  /// Who had better not move while others can.
  [[nodiscard]] const ProcessSet& forbidden() const { return forbidden_; }
  /// Whether every choice is the guide's own.
  [[nodiscard]] bool decides() const { return decides_; }
  /// Whether an execution may be started again under its eyes (Run::start_again): it does not mind
  /// to be told of the same events twice.
  [[nodiscard]] bool may_begin_anew() const { return may_begin_anew_; }
  /// Whether those who wait for the end of others are to come last.
  [[nodiscard]] bool joins_last() const { return joins_last_; }

 protected:
  ProcessSet forbidden_;
  bool decides_ = false;
  bool may_begin_anew_ = false;
  bool joins_last_ = false;
};

}  // namespace mazurka

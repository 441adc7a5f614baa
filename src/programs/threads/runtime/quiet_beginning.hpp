// A beginning that every execution has in common: it is performed once, and executions begin after
// it.
//
// What comes before main, or before the call that is checked, is performed alone, before the first
// execution and for nobody. If the first process then is still the only one, if nothing was chosen,
// and if nothing was changed that is not memory, it would be the same in every execution: what
// there is now is kept as what executions begin with. Nobody misses its events. All the processes
// to come know of them, so there is nothing they could be in a race with, and no other order to be
// tried. Otherwise it is forgotten, and each execution begins at the beginning.
#pragma once

#include <functional>

#include "core/execution.hpp"
#include "programs/threads/runtime/machine/snapshot.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

class QuietBeginning : public Part {
 public:
  struct Memory {
    Snapshot& snapshot;
    ThreadLocals& thread_locals;
    Stacks& stacks;
  };
  QuietBeginning(Scheduler& scheduler, ExecutionState& initial, Memory memory)
      : Part(scheduler), initial_(initial), memory_(memory) {}

  /// Whether it is known how the program begins.
  [[nodiscard]] bool is_known() const { return known_; }
  /// Executions begin after it.
  [[nodiscard]] bool is_kept() const { return kept_; }
  /// It is being performed alone: nobody else comes into being, and nothing is chosen.
  [[nodiscard]] bool is_tried() const { return trial_ != nullptr; }

  /// Has it performed alone. `perform`: up to where the run is over, or the process has arrived;
  /// false: that does not count, since something was learned on the way.
  void try_out(const Vocabulary& vocabulary, const std::function<bool(Run&)>& perform);
  /// main is reached, and about to be called. Does not return if this is tried out.
  void arrive();
  /// The call that is checked is reached. Returns in every execution, with the frames that are on
  /// the stack now: none of them may own memory of ours.
  void arrive_at_call();

 private:
  [[nodiscard]] bool is_quiet() const;
  void keep();
  void keep_state();

  ExecutionState& initial_;
  Memory memory_;
  const Execution* trial_ = nullptr;
  bool known_ = false;
  bool quiet_ = false;       // ... that it can be kept
  bool keeps_call_ = false;  // ... with the stack
  bool kept_ = false;
};

}  // namespace mazurka::threads

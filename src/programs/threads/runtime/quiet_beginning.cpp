#include "programs/threads/runtime/quiet_beginning.hpp"

#include <utility>

#include "programs/threads/runtime/surroundings/surroundings.hpp"

namespace mazurka::threads {

bool QuietBeginning::is_quiet() const {
  for (std::size_t at = 0; at < trial_->size(); ++at) {
    if (trial_->steps[at].choices > 1) return false;
  }
  const Process& first = self();
  return !scheduler_.must_restart() && state_.processes.size() == 1 && !state_.someone_failed &&
         !state_.went_outside && state_.section == Section::none &&
         state_.message_objects.empty() && first.cleanups.empty() && first.blocks == 0 &&
         first.watch.locks == 0 && !surroundings.changed_but_handlers() &&
         !heaps.uses_again(index(first.id));
}

// But for what tells of events and accesses: those to come have nothing to do with them. Clocks are
// kept, as they are in primitives that were used.
void QuietBeginning::keep_state() {
  ExecutionState kept = state_;
  kept.decision = initial_.decision;
  kept.live = initial_.live;
  kept.had_company = initial_.had_company;
  kept.quiet = initial_.quiet;
  kept.visited = initial_.visited;
  kept.atomics = initial_.atomics;
  kept.past = initial_.past;
  kept.histories = initial_.histories;
  kept.graph = initial_.graph;
  kept.races = initial_.races;
  kept.ledger = initial_.ledger;
  kept.outside = initial_.outside;
  kept.touched = initial_.touched;
  kept.undo = initial_.undo;
  kept.tracking = initial_.tracking;
  kept.tracker = initial_.tracker;
  kept.committed = initial_.committed;
  kept.effects_due = initial_.effects_due;
  kept.firm_order = initial_.firm_order;
  Process& first = *kept.processes.find(Run::root());
  if (!keeps_call_) {
    first.context = {};
    first.frame = 0;
  }
  first.watch = {};
  first.sections = 0;
  first.stack = {};
  first.ends = {};
  initial_ = std::move(kept);
}

void QuietBeginning::keep() {
  const Context& context = state_.processes.find(Run::root())->context;
  memory_.thread_locals.keep(context.thread_pointer);  // they are ours, too: before we write any
  heaps.keep_initial();
  memory_.snapshot.rebase(heaps.initial());
  if (keeps_call_) {
    memory_.stacks.keep_first(reinterpret_cast<std::uintptr_t>(context.stack_pointer));
  }
  surroundings.dispositions().keep();
  keep_state();
  kept_ = true;
}

void QuietBeginning::try_out(const Vocabulary& vocabulary,
                             const std::function<bool(Run&)>& perform) {
  constexpr int most_attempts = 100;
  Recorder* recorder = scheduler_.recorder();
  scheduler_.record_into(nullptr);
  scheduler_.perform_unseen(true);
  const bool shown = request_.task != Task::explore;
  if (shown) surroundings.hold_output();
  bool counts = false;
  for (int attempt = 0; !counts && attempt < most_attempts; ++attempt) {
    ProcessNames names;
    Execution events;
    Run run(vocabulary, names, events);
    run.start({}, {});
    trial_ = &events;
    quiet_ = keeps_call_ = false;
    counts = perform(run) && !scheduler_.must_restart();
    scheduler_.restarted();
  }
  if (counts && quiet_) keep();
  trial_ = nullptr;
  known_ = true;
  if (shown) surroundings.let_go_of_output(kept_);
  scheduler_.perform_unseen(false);
  scheduler_.record_into(recorder);
}

void QuietBeginning::arrive() {
  if (trial_ == nullptr) return;
  const EngineScope scope;
  quiet_ = is_quiet();
  leave();
}

void QuietBeginning::arrive_at_call() {
  if (trial_ == nullptr) return;
  const EngineScope scope;
  quiet_ = keeps_call_ = is_quiet();
  if (!quiet_) leave();
  scheduler_.stop_here();
}

}  // namespace mazurka::threads

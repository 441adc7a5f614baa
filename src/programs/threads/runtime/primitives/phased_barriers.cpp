// Who arrives first at a barrier does not matter, as long as each process arrives once in a phase
// and waits for its end before it arrives again, and no more of them do than are expected. Arrivals
// commute until something else is seen to happen; then the exploration begins anew with arrivals
// that do not. In that one the end of a phase is a step of its own, after the completion function:
// whoever arrives in between is one too many, which the standard leaves undefined, and where the
// library's barrier never comes to an end.
#include "programs/threads/runtime/primitives/phased_barriers.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace mazurka::threads {

PhasedBarrier& PhasedBarriers::of(ObjectId object, const std::ptrdiff_t* address) {
  PhasedBarrier& state = state_.phased_barriers[object];
  if (!state.is_set_up()) state.set_up(static_cast<std::uint64_t>(*address));
  return state;
}

// After others have moved.
PhasedBarrier& PhasedBarriers::require(ObjectId object, const std::ptrdiff_t* address) {
  PhasedBarrier& state = state_.phased_barriers[object];
  if (!state.is_set_up()) misuse("uses a barrier that was destroyed", address);
  return state;
}

void PhasedBarriers::learn_that_order_matters(std::uintptr_t where) {
  learned_.ordered.insert(where);
  scheduler_.restart();
  leave();
}

void PhasedBarriers::enable_waiting(const PhasedBarrier& state) {
  for (const PhasedBarrier::Waiting& one : state.waiting()) {
    if (!one.aside) run().enable(one.process, rounds_are_complete(one.phases, state.value()));
  }
}

void PhasedBarriers::set_up(const std::ptrdiff_t* address) {
  const EngineScope scope;
  const ObjectId object = object_at(address, kind::phased_barrier);
  if (*address < 0) misuse("makes a barrier that expects less than nobody", address);
  own(Action::set_up, address, PhasedBarrier::access(object, barrier_mode::own));
  PhasedBarrier& state = state_.phased_barriers[object];
  if (!state.waiting().empty()) {
    misuse("makes a barrier where threads wait at another one", address);
  }
  const std::uint64_t before = state.value();
  state.set_up(static_cast<std::uint64_t>(*address));
  if (state_.tracking) state_.tracker.change(index(object), before, state.value());
}

void PhasedBarriers::destroy(const std::ptrdiff_t* address) {
  const EngineScope scope;
  const ObjectId object = object_at(address, kind::phased_barrier);
  own(Action::destroy, address, PhasedBarrier::access(object, barrier_mode::own));
  PhasedBarrier& state = state_.phased_barriers[object];
  if (!state.waiting().empty()) misuse("destroys a barrier that threads wait at", address);
  state.end();
}

PhasedBarriers::Arrived PhasedBarriers::arrive(const std::ptrdiff_t* address,
                                               const Arrival& arrival) {
  const EngineScope scope;
  const ObjectId object = object_at(address, kind::phased_barrier);
  if (arrival.times == 0) misuse("arrives at a barrier for nobody", address);
  const bool in_order = counts_order(address_of(address));
  if (of(object, address).makes_order_matter(self().id, arrival) && !in_order) {
    learn_that_order_matters(address_of(address));
  }
  const bool odd = of(object, address).complete() % 2 != 0;  // nobody can complete it before us
  Step step(scheduler_, Action::barrier_arrive, address_of(address));
  step.await(PhasedBarrier::access(object, in_order ? barrier_mode::arrive_in_order
                                           : odd    ? barrier_mode::arrive_odd
                                                    : barrier_mode::arrive));
  step.record();
  const std::uint64_t before = state_.phased_barriers[object].value();
  step.commit(before);
  PhasedBarrier& state = require(object, address);
  if (state.missing() < arrival.times) {
    misuse("arrives at a barrier where fewer are expected in this phase", address);
  }
  const std::uint64_t nth = state.complete();
  bool full = state.arrive(self().id, arrival, self().knowledge, !in_order);
  if (full && in_order) state.phase(nth).gathered.pass_on(self().knowledge);
  if (full && !in_order) {
    PhasedBarrier::Phase& phase = state.phase(nth);
    state.begin_next_phase();
    if (arrival.completes) {
      state.let_choose(phase);
      set_followers_aside(state, phase);
    }
    enable_waiting(state);
    full = false;
  }
  if (state_.tracking) {
    state_.tracker.change(index(object), before, state.value());
    tell(nth);
  }
  return {nth, full};
}

// All but the first, by number, wait for its step, and for the completion function.
void PhasedBarriers::set_followers_aside(PhasedBarrier& state, const PhasedBarrier::Phase& phase) {
  for (const ProcessId other : phase.arrived) {
    if (other == phase.chooser || other == self().id) continue;
    run().announce(other, {}, false, false);
    state.wait(other, 0, true);
  }
}

void PhasedBarriers::wait_aside(ObjectId object) {
  state_.phased_barriers[object].wait(self().id, 0, true);
  park({}, false, false);
}

bool PhasedBarriers::wait(const std::ptrdiff_t* address, std::uint64_t nth) {
  const EngineScope scope;
  const std::uintptr_t where = address_of(address);
  const ObjectId object = object_at(address, kind::phased_barrier);
  const bool in_order = counts_order(where);
  PhasedBarrier& before = of(object, address);
  if (before.is_foreign(self().id, nth) && !in_order) learn_that_order_matters(where);

  note(Action::barrier_leave, where);
  const ProcessId chooser = before.phase(nth).chooser;
  if (chooser != no_process && chooser != self().id) {
    wait_aside(object);
  } else {
    const auto phases = static_cast<std::uint16_t>(nth + 1);
    before.wait(self().id, phases, false);
    const bool odd = !in_order && nth % 2 != 0;
    const std::array<Access, 1> leaving{
        PhasedBarrier::access(object, odd ? barrier_mode::leave_odd : barrier_mode::leave, phases)};
    park({leaving, no_process, false}, before.complete() > nth);
  }
  const bool finishes = leave_phase(object, nth, where);
  PhasedBarrier& state = state_.phased_barriers[object];
  state.stop_waiting(self().id);
  state.phase(nth).gathered.pass_on(self().knowledge);
  if (!in_order) state.forget_before(nth);
  return finishes;
}

// The step of the current process that leaves the barrier. True: the completion function first.
bool PhasedBarriers::leave_phase(ObjectId object, std::uint64_t nth, std::uintptr_t where) {
  PhasedBarrier& state = state_.phased_barriers[object];
  const ProcessId chooser = state.phase(nth).chooser;
  if (chooser == no_process) {
    record(Action::barrier_leave, where);
    commit(std::array{state.value()});
    return false;
  }
  if (chooser == self().id) {
    choose_finisher(state, nth, where);
    if (state.phase(nth).finisher == self().id) return true;
    note(Action::barrier_leave, where);
    wait_aside(object);
  }
  const bool finishes = state_.phased_barriers[object].phase(nth).finisher == self().id;
  record(finishes ? Action::barrier_call : Action::barrier_leave, where);
  commit();
  return finishes;
}

// Any of those who have arrived is the one that calls the completion function.
void PhasedBarriers::choose_finisher(PhasedBarrier& state, std::uint64_t nth,
                                     std::uintptr_t where) {
  PhasedBarrier::Phase& phase = state.phase(nth);
  const auto choices = static_cast<std::uint16_t>(phase.arrived.size());
  const std::uint16_t choice = run().outcome(choices);
  state_.decision.choice = choice;
  phase.finisher = phase.arrived[choice];
  const bool own = phase.finisher == self().id;
  RawEvent* event = record(own ? Action::barrier_call : Action::barrier_choose, where);
  if (event != nullptr) event->peer = phase.finisher;
  const std::array<std::uint64_t, 1> open{state.value()};
  commit(open, choices, std::span(&phase.finisher, own ? 0 : 1));
  tell(choice);  // who goes on is part of the state from now on
  if (own) return;
  run().release(phase.finisher);
  run().enable(phase.finisher, true);
}

void PhasedBarriers::finish(const std::ptrdiff_t* address) {
  const EngineScope scope;
  const ObjectId object = object_at(address, kind::phased_barrier);
  Step step(scheduler_, Action::barrier_complete, address_of(address));
  if (!counts_order(address_of(address))) {
    step.await(std::span<const Access>());
    step.record();
    release_followers(state_.phased_barriers[object]);
    return;
  }
  step.await(PhasedBarrier::access(object, barrier_mode::arrive_in_order));
  step.record();
  const std::uint64_t before = state_.phased_barriers[object].value();
  step.commit(before);
  PhasedBarrier& state = require(object, address);
  state.phase(state.complete()).gathered.publish(self().id, self().knowledge, false);
  state.begin_next_phase();
  if (state_.tracking) state_.tracker.change(index(object), before, state.value());
  enable_waiting(state);
}

// The step of the one that was chosen: the others leave.
void PhasedBarriers::release_followers(PhasedBarrier& state) {
  PhasedBarrier::Phase& phase = state.phase(state.complete() - 1);
  std::vector<ProcessId> followers = phase.arrived;
  std::erase(followers, self().id);
  commit({}, 1, followers);
  phase.gathered.publish(self().id, self().knowledge);
  for (const ProcessId other : followers) {
    run().release(other);
    run().enable(other, true);
  }
}

}  // namespace mazurka::threads

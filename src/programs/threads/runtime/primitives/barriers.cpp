// Barriers.
//
// Arriving at a barrier is not like that: who comes first does not matter, unless more processes
// use the barrier than it lets through at once. So arrivals commute until that is seen to happen;
// then the exploration begins anew with arrivals that do not.
#include <algorithm>
#include <cerrno>

#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

Barrier& Runtime::barrier(ObjectId object, unsigned count) {
  if (Barrier* known = state_.barriers.find(object)) return *known;
  Barrier& state = state_.barriers[object];
  state.count = count;
  return state;
}

// More use it than it lets through at once.
bool Runtime::is_crowded(ObjectId barrier) const {
  return std::find(learned_.crowded.begin(), learned_.crowded.end(), barrier) !=
         learned_.crowded.end();
}

void Runtime::set_up_barrier(const void* address, unsigned count) {
  EngineScope scope;
  const ObjectId object = primitive(address, kind::barrier);
  const Barrier& known = barrier(object, 0);
  if (!known.waiting.empty()) misuse("initialises a barrier that threads wait at", address);
  if (known.count != 0 && !known.destroyed && !may_be_left_over(address)) {
    misuse("initialises a barrier that is in use", address);
  }
  state_.barriers.erase(object);
  barrier(object, count);
}

void Runtime::destroy_barrier(const void* address) {
  EngineScope scope;
  const auto where = reinterpret_cast<std::uintptr_t>(address);
  const ObjectId object = primitive(address, kind::barrier);
  if (!alone()) {
    note(Action::destroy, where);
    const std::array<Access, 1> accesses{Access{object, kind::barrier, barrier_mode::destroy, 0}};
    park({accesses, no_process, false}, true);
    record(Action::destroy, where);
    const std::array<std::uint64_t, 1> before{value_of(object)};
    commit(before);
  }
  barrier(object, 0).destroyed = true;
}

void Runtime::refuse_unusable(const Barrier& state, std::uintptr_t address) {
  if (state.count != 0 && !state.destroyed) return;
  fail(FindingKind::misuse,
       state.destroyed ? "waits at a barrier that was destroyed"
                       : "waits at a barrier that is not initialised",
       "barrier " + std::to_string(address));
}

// Any of those that a round lets through may be the serial one. Where that can make a difference,
// because some of them may look, it is an outcome of one step: the first of them to look, by
// number, leaves first and chooses; the others who look wait for that step. That takes no behaviour
// away, since nobody can tell when somebody has left. Those who do not look leave as they like.
void Runtime::complete_round(ObjectId object, std::size_t round) {
  Barrier& state = state_.barriers[object];
  Barrier::Round& own = state.rounds[round];
  if (own.lookers.size() == state.count && state.count == 1) own.serial = own.lookers.front();
  if (own.lookers.empty() || state.count == 1) return;
  std::sort(own.lookers.begin(), own.lookers.end());
  own.chooser = own.lookers.front();
  for (const ProcessId other : own.lookers) {
    if (other == own.chooser || other == current_->id) continue;
    run_->announce(other, {}, false, false);
    std::erase_if(state.waiting, [&](const Barrier::Waiting& one) { return one.process == other; });
  }
}

// The step of the current process that leaves the barrier. True: it is the serial one.
bool Runtime::leave_barrier(ObjectId object, std::size_t round, bool looks) {
  Barrier::Round& own = state_.barriers[object].rounds[round];
  const std::array<std::uint64_t, 1> open{value_of(object)};
  if (own.chooser != current_->id) {
    commit(std::span(open).first(own.chooser == no_process || !looks ? 1 : 0));
    return looks && state_.barriers[object].rounds[round].serial == current_->id;
  }
  const std::size_t lookers = own.lookers.size();
  const bool all = lookers == state_.barriers[object].count;
  const auto choices = static_cast<std::uint16_t>(all ? lookers : lookers + 1);
  const std::uint16_t choice = run_->outcome(choices);
  state_.decision.choice = choice;
  own.serial = choice < lookers ? own.lookers[choice] : no_process;
  const std::vector<ProcessId> released(own.lookers.begin() + 1, own.lookers.end());
  commit(open, choices, released);
  tell(choice);  // what the others will be told is part of the state from now on
  for (const ProcessId other : released) {
    run_->release(other);
    run_->enable(other, true);
  }
  return choice == 0;
}

bool Runtime::wait_at_barrier(const void* address, unsigned count, bool looks, Meeting meeting) {
  EngineScope scope;
  const auto where = reinterpret_cast<std::uintptr_t>(address);
  const ObjectId object = primitive(address, kind::barrier);
  {
    Barrier& state = barrier(object, count);
    refuse_unusable(state, where);
    if (std::find(state.users.begin(), state.users.end(), current_->id) == state.users.end()) {
      state.users.push_back(current_->id);
    }
    if (state.users.size() > state.count && !is_crowded(object)) {
      learned_.crowded.push_back(object);
      must_restart_ = true;
      leave();
    }
  }
  note(Action::barrier_arrive, where);
  const bool crowded = is_crowded(object);
  const bool odd =
      complete_rounds(value_of(object)) % 2 != 0;  // nobody can complete the round before us
  const std::uint8_t mode = crowded ? barrier_mode::arrive_in_order
                            : odd   ? barrier_mode::arrive_odd
                                    : barrier_mode::arrive;
  const std::array<Access, 1> arriving{Access{object, kind::barrier, mode, 0}};
  park({arriving, no_process, false}, true);
  record(Action::barrier_arrive, where);
  const std::array<std::uint64_t, 1> before{value_of(object)};
  commit(before);
  refuse_unusable(barrier(object, count), where);
  const std::size_t round = barrier(object, count).arrivals / barrier(object, count).count;
  {
    Barrier& state = barrier(object, count);
    if (state_.tracking) {
      state_.tracker.change(index(object), state.arrivals, state.arrivals + 1);
      state_.tracker.tell(current_->id,
                          round);  // of a crowded one, who comes first decides who goes first
    }
    ++state.arrivals;
    if (state.rounds.size() <= round) state.rounds.resize(round + 1);
    Barrier::Round& own = state.rounds[round];
    if (looks) own.lookers.push_back(current_->id);
    own.gathered.join(current_->knowledge.now);
    current_->knowledge.now.tick(current_->id);
    if (state.arrivals % state.count == 0) complete_round(object, round);
    for (const Barrier::Waiting& one : state.waiting) {
      run_->enable(one.process, state.arrivals / state.count >= one.rounds);
    }
  }
  const auto rounds = static_cast<std::uint16_t>(round + 1);
  note(Action::barrier_leave, where);
  const ProcessId chooser = barrier(object, count).rounds[round].chooser;
  if (looks && chooser != no_process && chooser != current_->id) {
    park({}, false, false);
  } else {
    barrier(object, count).waiting.push_back({current_->id, rounds});
    const std::uint8_t departure = crowded || !odd ? barrier_mode::leave : barrier_mode::leave_odd;
    const std::array<Access, 1> leaving{Access{object, kind::barrier, departure, rounds}};
    park({leaving, no_process, false}, complete_rounds(value_of(object)) >= rounds);
  }
  RawEvent* event = record(Action::barrier_leave, where);
  const bool serial = leave_barrier(object, round, looks);
  if (event != nullptr && serial) event->value = 1;
  Barrier& state = barrier(object, count);
  std::erase_if(state.waiting,
                [&](const Barrier::Waiting& one) { return one.process == current_->id; });
  if (meeting == Meeting::ordering) current_->knowledge.now.join(state.rounds[round].gathered);
  if (looks) tell(serial ? 1 : 0);
  return serial;
}

}  // namespace mazurka::threads

// Read-write locks, spin locks, semaphores, and barriers.
//
// A gate is an object with a number that lets a process pass while the number suits it. That is
// all that a read-write lock (how many hold it, or who writes), a spin lock and a semaphore are.
// Every two steps on a gate are dependent, their order is part of the trace; but for attempts to
// pass that found it shut, which do not disturb each other.
//
// Arriving at a barrier is not like that: who comes first does not matter, unless more processes
// use the barrier than it lets through at once. So arrivals commute until that is seen to happen;
// then the exploration begins anew with arrivals that do not.
#include <algorithm>
#include <cerrno>

#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

Gate& Runtime::gate(ObjectId object, std::uint64_t initially) {
  if (gates_.size() <= index(object)) gates_.resize(index(object) + 1);
  Gate& state = gates_[index(object)];
  if (state.execution != execution_) {
    state.execution = execution_;
    state.value = initially;
    state.waiting.clear();
    state.holders.clear();
    state.released.clear();
    state.shared_released.clear();
  }
  return state;
}

ObjectId Runtime::gate_object(const void* address) { return primitive(address, kind::gate); }

void Runtime::set_gate(ObjectId object, std::uint64_t value) {
  Gate& state = gate(object, value);
  if (tracking_) states_.change(index(object), state.value, value);
  state.value = value;
  for (const Gate::Waiting& one : state.waiting) {
    run_->enable(one.process, gate_allows(one.wish, value));
  }
}

// The process has passed: the number follows, and it learns what those before it have published.
void Runtime::enter_gate(ObjectId object, std::uint16_t wish) {
  Gate& state = gate(object, 0);
  std::erase_if(state.waiting,
                [&](const Gate::Waiting& one) { return one.process == current_->id; });
  Clock& now = current_->knowledge.now;
  now.join(state.released);
  switch (wish) {
    case gate_wish::alone:
      now.join(state.shared_released);
      set_gate(object, gate_writer | (index(current_->id) + 1));
      break;
    case gate_wish::shared: set_gate(object, state.value + 1); break;
    default: set_gate(object, state.value - 1); break;
  }
  if (wish == gate_wish::token) return;
  current_->watch.take_lock(fingerprint_of(index(object), wish).low);
  gate(object, 0).holders.push_back(current_->id);
}

int Runtime::pass_gate(const void* address, std::uint16_t wish, Action action,
                       std::uint64_t initially) {
  EngineScope scope;
  const ObjectId object = gate_object(address);
  const auto where = reinterpret_cast<std::uintptr_t>(address);
  arrive(where);
  const bool free = gate_allows(wish, gate(object, initially).value);
  if (!free && gate(object, initially).value == (gate_writer | (index(current_->id) + 1)) &&
      action != Action::spin_lock) {
    return EDEADLK;
  }
  const bool visible = !alone() || !free;
  if (visible) {
    note(action, where);
    gate(object, initially).waiting.push_back({current_->id, wish});
    const std::array<Access, 1> accesses{Access{object, kind::gate, gate_mode::pass, wish}};
    park({accesses, no_process, false}, free);
  }
  if (RawEvent* event = record(action, where); event && !visible) event->flags |= flag_plain;
  if (visible) {
    const std::array<std::uint64_t, 1> before{gate(object, initially).value};
    if (wish != gate_wish::token) quiet_ = true;
    commit(before);
  } else if (wish == gate_wish::token) {
    current_->watch.progress();
  }
  if (wish != gate_wish::token) watch_passing(object, wish);
  enter_gate(object, wish);
  return 0;
}

bool Runtime::try_gate(const void* address, std::uint16_t wish, Action action,
                       std::uint64_t initially) {
  EngineScope scope;
  const ObjectId object = gate_object(address);
  const auto where = reinterpret_cast<std::uintptr_t>(address);
  gate(object, initially);
  arrive(where);
  const bool visible = !alone();
  if (visible) {
    note(Action::try_lock, where);
    const std::array<Access, 1> accesses{Access{object, kind::gate, gate_mode::attempt, 0}};
    park({accesses, no_process, false}, true);
  }
  const std::uint64_t value = gate(object, initially).value;
  const bool free = gate_allows(wish, value);
  if (RawEvent* event = record(Action::try_lock, where)) {
    event->value = free ? 1 : 0;
    if (!visible) event->flags |= flag_plain;
  }
  (void)action;
  if (visible) {
    const std::array<std::uint64_t, 1> before{value};
    quiet_ = !free;
    commit(before, 1, {}, free ? Footprint{} : in_vain(gate_mode::attempt, gate_mode::found_shut));
  }
  tell(free ? 1 : 0);
  if (!free) {
    for (const ProcessId holder : gate(object, initially).holders) notice_holder(holder);
    watch_object(object);
    return false;
  }
  current_->watch.progress();
  enter_gate(object, wish);
  return true;
}

std::uint64_t Runtime::change_gate(const void* address, Action action, std::uint64_t initially,
                                   std::uint64_t (*next)(std::uint64_t)) {
  EngineScope scope;
  const ObjectId object = gate_object(address);
  const auto where = reinterpret_cast<std::uintptr_t>(address);
  gate(object, initially);
  if (action == Action::look) arrive(where);
  const bool visible = !alone();
  if (visible) {
    note(action, where);
    const std::array<Access, 1> accesses{Access{object, kind::gate, gate_mode::change, 0}};
    park({accesses, no_process, false}, true);
  }
  const std::uint64_t value = gate(object, initially).value;
  const std::uint64_t after = next(value);
  if (RawEvent* event = record(action, where)) {
    event->value = value;
    event->new_value = after;
    if (!visible) event->flags |= flag_plain;
  }
  const bool unlocks = action == Action::unlock;
  if (visible) {
    const std::array<std::uint64_t, 1> before{value};
    if (unlocks) quiet_ = true;
    if (after == value) quiet_ = true;
    commit(before);
  } else if (!unlocks) {
    current_->watch.progress();
  }
  if (after == value) {
    watch_object(object);
    tell(value);
    return value;
  }
  Gate& state = gate(object, initially);
  const bool exclusive = (value & gate_writer) != 0;
  if (unlocks) {
    current_->watch.give_back_lock(
        fingerprint_of(index(object), exclusive ? gate_wish::alone : gate_wish::shared).low);
    const auto holder = std::find(state.holders.begin(), state.holders.end(), current_->id);
    if (holder != state.holders.end()) state.holders.erase(holder);
  }
  Clock& published = unlocks && !exclusive ? state.shared_released : state.released;
  published.join(current_->knowledge.now);
  current_->knowledge.now.tick(current_->id);
  set_gate(object, after);
  return value;
}

int Runtime::unlock_gate(const void* address) {
  const ObjectId object = gate_object(address);
  const std::uint64_t value = gate(object, 0).value;
  const std::uint64_t own = gate_writer | (index(current_->id) + 1);
  if (value == 0 || ((value & gate_writer) != 0 && value != own)) {
    EngineScope scope;
    fail(FindingKind::misuse, "unlocks a lock that it does not hold",
         "unlock " + std::to_string(reinterpret_cast<std::uintptr_t>(address)));
  }
  change_gate(address, Action::unlock, 0,
              [](std::uint64_t now) { return (now & gate_writer) != 0 ? 0 : now - 1; });
  return 0;
}

// Whether an object may have been left as it is by something that is gone: memory of a stack is
// used again without a word. Of other memory we are told.
bool Runtime::may_be_left_over(const void* address) const {
  const auto where = reinterpret_cast<std::uintptr_t>(address);
  return in_zone(where) && in_stack_of(slot_of(where), where);
}

void Runtime::misuse(const std::string& message, const void* address) {
  fail(FindingKind::misuse, message,
       message + " " + std::to_string(reinterpret_cast<std::uintptr_t>(address)));
}

void Runtime::set_up_gate(const void* address, std::uint64_t value, GateUse use) {
  EngineScope scope;
  const ObjectId object = gate_object(address);
  if (index(object) < gates_.size() && gates_[index(object)].execution == execution_) {
    const Gate& known = gates_[index(object)];
    if (!known.waiting.empty()) {
      misuse("initialises a " + std::string(name(use)) + " that others use", address);
    }
    if (use != GateUse::semaphore && known.value != 0 && !may_be_left_over(address)) {
      misuse("initialises a " + std::string(name(use)) + " that is held", address);
    }
  }
  gate(object, value);
  set_gate(object, value);
}

// A step that every other on the gate depends on: somebody may come to use it just before.
void Runtime::destroy_gate(const void* address, GateUse use) {
  EngineScope scope;
  const ObjectId object = gate_object(address);
  if (!alone()) {
    const auto where = reinterpret_cast<std::uintptr_t>(address);
    note(Action::destroy, where);
    const std::array<Access, 1> accesses{Access{object, kind::gate, gate_mode::change, 0}};
    gate(object, 0);
    park({accesses, no_process, false}, true);
    record(Action::destroy, where);
    const std::array<std::uint64_t, 1> before{gate(object, 0).value};
    commit(before);
  }
  const Gate& state = gate(object, 0);
  if (!state.waiting.empty()) {
    misuse("destroys a " + std::string(name(use)) + " that others use", address);
  }
  if (use != GateUse::semaphore && state.value != 0) {
    misuse("destroys a " + std::string(name(use)) + " that is held", address);
  }
}

// --- barriers ------------------------------------------------------------------------------------

Barrier& Runtime::barrier(ObjectId object, unsigned count) {
  if (barriers_.size() <= index(object)) barriers_.resize(index(object) + 1);
  Barrier& state = barriers_[index(object)];
  if (state.execution != execution_) {
    state.execution = execution_;
    state.count = count;
    state.destroyed = false;
    state.arrivals = 0;
    state.rounds.clear();
    state.users.clear();
    state.waiting.clear();
  }
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
  barrier(object, count).execution = 0;
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
  Barrier& state = barriers_[index(object)];
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
  Barrier::Round& own = barriers_[index(object)].rounds[round];
  const std::array<std::uint64_t, 1> open{value_of(object)};
  if (own.chooser != current_->id) {
    commit(std::span(open).first(own.chooser == no_process || !looks ? 1 : 0));
    return looks && barriers_[index(object)].rounds[round].serial == current_->id;
  }
  const std::size_t lookers = own.lookers.size();
  const bool all = lookers == barriers_[index(object)].count;
  const auto choices = static_cast<std::uint16_t>(all ? lookers : lookers + 1);
  const std::uint16_t choice = run_->outcome(choices);
  decision_.choice = choice;
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
    if (tracking_) {
      states_.change(index(object), state.arrivals, state.arrivals + 1);
      states_.tell(current_->id,
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

// Read-write locks, spin locks and semaphores.
//
// A gate is an object with a number that lets a process pass while the number suits it. That is
// all that a read-write lock (how many hold it, or who writes), a spin lock and a semaphore are.
// Every two steps on a gate are dependent, their order is part of the trace; but for attempts to
// pass that found it shut, which do not disturb each other.
#include <algorithm>
#include <cerrno>

#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

Gate& Runtime::gate(ObjectId object, std::uint64_t initially) {
  if (Gate* known = state_.gates.find(object)) return *known;
  Gate& state = state_.gates[object];
  state.value = initially;
  return state;
}

ObjectId Runtime::gate_object(const void* address) { return primitive(address, kind::gate); }

void Runtime::set_gate(ObjectId object, std::uint64_t value) {
  Gate& state = gate(object, value);
  if (state_.tracking) state_.tracker.change(index(object), state.value, value);
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
    if (wish != gate_wish::token) state_.quiet = true;
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
    state_.quiet = !free;
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
    if (unlocks) state_.quiet = true;
    if (after == value) state_.quiet = true;
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
  if (const Gate* known = state_.gates.find(object)) {
    if (!known->waiting.empty()) {
      misuse("initialises a " + std::string(name(use)) + " that others use", address);
    }
    if (use != GateUse::semaphore && known->value != 0 && !may_be_left_over(address)) {
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

}  // namespace mazurka::threads

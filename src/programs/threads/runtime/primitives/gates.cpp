// Every two steps on a gate are dependent, their order is part of the trace; but for attempts to
// pass that found it shut, and for those who share a read-write lock or stop sharing it: neither
// disturb each other.
#include "programs/threads/runtime/primitives/gates.hpp"

#include <cerrno>

namespace mazurka::threads {

namespace {

Action action_of(GateUse use, std::uint16_t wish) {
  switch (use) {
    case GateUse::spin_lock: return Action::spin_lock;
    case GateUse::semaphore: return Action::acquire;
    case GateUse::read_write_lock: break;
  }
  return wish == gate_wish::shared ? Action::read_lock : Action::lock;
}

}  // namespace

void Gates::note_change(ObjectId object, std::uint64_t before) {
  const Gate& state = of(object);
  if (state_.tracking) state_.tracker.change(index(object), before, state.value());
  for (const Gate::Waiting& one : state.waiting()) {
    run().enable(one.process, state.allows(one.wish));
  }
}

void Gates::enter(ObjectId object, std::uint16_t wish) {
  const std::uint64_t before = of(object).value();
  of(object).enter(self().id, wish, self().knowledge.now);
  note_change(object, before);
  if (wish == gate_wish::token) return;
  self().watch.take_lock(fingerprint_of(index(object), wish).low);
}

int Gates::pass(const void* address, GateUse use, std::uint16_t wish) {
  EngineScope scope;
  const ObjectId object = object_at(address, kind_of(use));
  spins_.arrive(address_of(address));
  Gate& state = of(object);
  const bool free = state.allows(wish);
  if (!free && state.is_held_alone_by(self().id) && use != GateUse::spin_lock) return EDEADLK;
  if (!free) refuse_destroyed(address, use);
  const bool locks = wish != gate_wish::token;
  const bool shares = wish == gate_wish::shared;
  Step step(scheduler_, action_of(use, wish), address_of(address), !alone() || !free);
  if (step.visible()) state.wait(self().id, wish);
  step.await(Gate::access(object, shares ? gate_mode::share : gate_mode::pass, wish, use), free);
  step.record();
  if (step.visible()) {
    state_.quiet = locks;
    step.commit(of(object).value());
    if (is_destroyed(address)) of(object).stop_waiting(self().id);  // it never moves again
  } else if (!locks) {
    self().watch.progress();
  }
  refuse_destroyed(address, use);
  if (locks) spins_.watch_passing(object, wish);
  enter(object, wish);
  return 0;
}

bool Gates::try_to_pass(const void* address, GateUse use, std::uint16_t wish) {
  EngineScope scope;
  const ObjectId object = object_at(address, kind_of(use));
  of(object);
  spins_.arrive(address_of(address));
  Step step(scheduler_, Action::try_lock, address_of(address), !alone());
  step.await(Gate::access(object, gate_mode::attempt, wish, use));
  const Gate& state = of(object);
  const bool free = state.allows(wish);
  if (RawEvent* event = step.record()) event->value = free ? 1 : 0;
  if (step.visible()) {
    state_.quiet = !free;
    const bool shares = free && wish == gate_wish::shared;
    const std::uint8_t done = shares ? gate_mode::share_at_once
                              : free ? gate_mode::attempt
                                     : gate_mode::found_shut;
    step.commit(state.value(), done == gate_mode::attempt
                                   ? Footprint{}
                                   : scheduler_.turned_out(gate_mode::attempt, done));
  }
  refuse_destroyed(address, use);
  tell(free ? 1 : 0);
  if (!free) {
    for (const ProcessId holder : state.holders()) spins_.notice_holder(holder);
    spins_.watch_object(object);
    return false;
  }
  self().watch.progress();
  enter(object, wish);
  return true;
}

std::uint64_t Gates::change(const void* address, GateUse use, Action action,
                            std::uint64_t (*next)(std::uint64_t)) {
  EngineScope scope;
  const ObjectId object = object_at(address, kind_of(use));
  const bool shared = of(object).is_shared_by(self().id);
  if (action == Action::look) spins_.arrive(address_of(address));
  Step step(scheduler_, action, address_of(address), !alone());
  step.await(Gate::access(object, shared ? gate_mode::stop_sharing : gate_mode::change, 0, use));
  Gate& state = of(object);
  const std::uint64_t value = state.value();
  const std::uint64_t after = next(value);
  if (RawEvent* event = step.record()) {
    event->value = value;
    event->new_value = after;
  }
  const bool unlocks = action == Action::unlock;
  if (step.visible()) {
    state_.quiet = unlocks || after == value;
    step.commit(value);
  } else if (!unlocks) {
    self().watch.progress();
  }
  refuse_destroyed(address, use);
  if (after == value) {
    spins_.watch_object(object);
    tell(value);
    return value;
  }
  if (unlocks) {
    const std::uint16_t wish = state.is_held_alone() ? gate_wish::alone : gate_wish::shared;
    self().watch.give_back_lock(fingerprint_of(index(object), wish).low);
    state.unlock(self().id, after, self().knowledge.now);
  } else {
    state.change(self().id, after, self().knowledge.now);
  }
  note_change(object, value);
  return value;
}

int Gates::unlock(const void* address, GateUse use) {
  const Gate& state = of(object_at(address, kind_of(use)));
  if (!state.is_held_alone_by(self().id) && !state.is_shared_by(self().id)) {
    EngineScope scope;
    fail(FindingKind::misuse, "unlocks a lock that it does not hold",
         "unlock " + std::to_string(address_of(address)));
  }
  change(address, use, Action::unlock,
         [](std::uint64_t now) { return (now & gate_writer) != 0 ? 0 : now - 1; });
  return 0;
}

void Gates::set_up(const void* address, std::uint64_t value, GateUse use) {
  EngineScope scope;
  const ObjectId object = object_at(address, kind_of(use));
  own(Action::set_up, address, Gate::access(object, gate_mode::own, 0, use));
  if (const Gate* known = state_.gates.find(object)) {
    if (known->keeps_waiting()) {
      misuse("initialises a " + std::string(name(use)) + " that others use", address);
    }
    if (use != GateUse::semaphore && known->value() != 0 && !may_be_left_over(address)) {
      misuse("initialises a " + std::string(name(use)) + " that is held", address);
    }
  }
  unmark_destroyed(address);
  const std::uint64_t before = of(object).value();
  of(object).set_up(value);
  note_change(object, before);
}

void Gates::destroy(const void* address, GateUse use) {
  EngineScope scope;
  const ObjectId object = object_at(address, kind_of(use));
  own(Action::destroy, address, Gate::access(object, gate_mode::own, 0, use));
  refuse_destroyed(address, use);
  const Gate& state = of(object);
  if (!state.waiting().empty()) {
    misuse("destroys a " + std::string(name(use)) + " that others use", address);
  }
  if (use != GateUse::semaphore && state.value() != 0) {
    misuse("destroys a " + std::string(name(use)) + " that is held", address);
  }
  mark_destroyed(address);
}

}  // namespace mazurka::threads

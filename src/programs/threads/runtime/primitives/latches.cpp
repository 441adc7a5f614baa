// Nobody can tell in which order a latch was counted down, and who passes it comes after all who
// did: threads that meet at one, and nothing else, have one order.
//
// But who only looks whether it is open sees an atomic number: under weak memory perhaps not the
// latest one. As soon as somebody does, the exploration begins anew with what the C++ library does:
// operations on atomic variables, which can be seen late as any others.
#include "programs/threads/runtime/primitives/latches.hpp"

#include <string>

namespace mazurka::threads {

namespace {

constexpr const char* too_often = "counts a latch down more often than it is to be";

}  // namespace

Latch& Latches::of(ObjectId object, const std::ptrdiff_t* address) {
  Latch& state = state_.latches[object];
  if (!state.is_set_up()) state.set_up(static_cast<std::uint64_t>(*address));
  return state;
}

void Latches::enable_waiting(const Latch& state) {
  for (const Latch::Waiting& one : state.waiting()) {
    run().enable(one.process, latch_is_open(one.latch, state.value()));
  }
}

void Latches::set_up(const std::ptrdiff_t* address) {
  const EngineScope scope;
  const ObjectId object = object_at(address, kind::latch);
  if (*address < 0) misuse("makes a latch that is to be counted down less than no times", address);
  const auto count = static_cast<std::uint64_t>(*address);
  own(Action::set_up, address, Latch::access(object, latch_mode::own));
  Latch& state = state_.latches[object];
  if (!state.waiting().empty()) misuse("makes a latch where threads wait at another one", address);
  if (state_.tracking) state_.tracker.change(index(object), state.left(), count);
  state.set_up(count);
}

bool Latches::count_down(const std::ptrdiff_t* address, std::ptrdiff_t times) {
  const EngineScope scope;
  const ObjectId object = object_at(address, kind::latch);
  of(object, address);
  if (times < 0) misuse("counts a latch down less than no times", address);
  if (times == 0) return true;
  const auto by = static_cast<std::uint64_t>(times);
  if (learned_.latches_by_library) {
    if (of(object, address).left() < by) misuse(too_often, address);
    of(object, address).count_down(by);
    return false;
  }
  Step step(scheduler_, Action::latch_down, address_of(address), !alone());
  step.await(Latch::access(object, latch_mode::count_down));
  Latch& state = of(object, address);
  const std::uint64_t before = state.left();
  if (RawEvent* event = step.record()) {
    event->value = before;
    event->new_value = before - by;
  }
  step.commit(state.value());
  if (before < by) misuse(too_often, address);
  if (!step.visible()) self().watch.progress();
  if (state_.tracking) state_.tracker.change(index(object), before, before - by);
  state.count_down(self().id, by, self().knowledge);
  enable_waiting(state);
  return true;
}

bool Latches::wait(const std::ptrdiff_t* address) {
  if (learned_.latches_by_library) return false;
  const EngineScope scope;
  const ObjectId object = object_at(address, kind::latch);
  const bool open = of(object, address).is_open();
  Step step(scheduler_, Action::latch_pass, address_of(address), !alone() || !open);
  if (step.visible()) of(object, address).wait(self().id);
  step.await(Latch::access(object, latch_mode::pass, of(object, address).nth()), open);
  step.record();
  step.commit(of(object, address).value());
  if (!step.visible()) self().watch.progress();
  of(object, address).pass(self().id, self().knowledge);
  return true;
}

std::optional<bool> Latches::look(const std::ptrdiff_t* address) {
  if (learned_.latches_by_library) return std::nullopt;
  const EngineScope scope;
  const ObjectId object = object_at(address, kind::latch);
  of(object, address);
  if (!alone() && weak_memory_.may_be_on()) {
    learned_.latches_by_library = true;
    scheduler_.restart();
    leave();
  }
  spins_.arrive(address_of(address));
  Step step(scheduler_, Action::latch_look, address_of(address), !alone());
  step.await(Latch::access(object, latch_mode::look));
  Latch& state = of(object, address);
  const bool open = state.is_open();
  if (RawEvent* event = step.record()) event->value = open ? 1 : 0;
  if (step.visible()) state_.quiet = true;
  step.commit(state.value());
  // Whoever waits in a loop may have looked before the latest change, or after it.
  tell(state.left());
  if (open) {
    self().watch.progress();
    state.pass(self().id, self().knowledge);
  } else {
    spins_.watch_object(object);
  }
  return open;
}

}  // namespace mazurka::threads

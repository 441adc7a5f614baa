// Arriving at a barrier is not like locking a mutex: who comes first does not matter, unless more
// processes use the barrier than it lets through at once. So arrivals commute until that is seen to
// happen; then the exploration begins anew with arrivals that do not.
#include "programs/threads/runtime/primitives/barriers.hpp"

#include <algorithm>
#include <array>

namespace mazurka::threads {

// More use it than it lets through at once.
bool Barriers::is_crowded(ObjectId object) const {
  return std::find(learned_.crowded.begin(), learned_.crowded.end(), object) !=
         learned_.crowded.end();
}

void Barriers::set_up(const void* address, unsigned count) {
  EngineScope scope;
  const ObjectId object = object_at(address, kind::barrier);
  own(Action::set_up, address, Barrier::access(object, barrier_mode::own));
  Barrier& state = of(object);
  if (state.keeps_waiting()) misuse("initialises a barrier that threads wait at", address);
  if (state.is_initialised() && !state.is_destroyed() && !may_be_left_over(address)) {
    misuse("initialises a barrier that is in use", address);
  }
  if (state_.tracking) state_.tracker.change(index(object), state.arrivals(), 0);
  state.set_up(count);
}

void Barriers::destroy(const void* address) {
  EngineScope scope;
  const ObjectId object = object_at(address, kind::barrier);
  own(Action::destroy, address, Barrier::access(object, barrier_mode::destroy));
  of(object).destroy();
}

void Barriers::refuse_unusable(const Barrier& state, std::uintptr_t address) {
  if (state.is_initialised() && !state.is_destroyed()) return;
  fail(FindingKind::misuse,
       state.is_destroyed() ? "waits at a barrier that was destroyed"
                            : "waits at a barrier that is not initialised",
       "barrier " + std::to_string(address));
}

void Barriers::note_user(ObjectId object) {
  if (!of(object).add_user(self().id) || is_crowded(object)) return;
  learned_.crowded.push_back(object);
  scheduler_.restart();
  leave();
}

// Those who look, but for the first, wait for the step of that one.
void Barriers::set_followers_aside(Barrier& state, const Barrier::Round& round) {
  if (round.chooser == no_process) return;
  for (const ProcessId other : round.lookers) {
    if (other == round.chooser || other == self().id) continue;
    run().announce(other, {}, false, false);
    state.stop_waiting(other);
  }
}

// The current process has arrived; the round that it belongs to.
std::size_t Barriers::arrive(ObjectId object, bool looks) {
  Barrier& state = of(object);
  const std::size_t before = state.arrivals();
  const std::size_t complete = state.complete();
  const std::size_t round = state.arrive(self().id, looks, self().knowledge.now);
  if (state_.tracking) {
    state_.tracker.change(index(object), before, state.arrivals());
    tell(round);  // of a crowded one, who comes first decides who goes first
  }
  if (state.complete() > complete) set_followers_aside(state, state.round(round));
  for (const Barrier::Waiting& one : state.waiting()) {
    run().enable(one.process, rounds_are_complete(one.rounds, state.value()));
  }
  return round;
}

// The step of the current process that leaves the barrier. True: it is the serial one.
bool Barriers::leave_round(ObjectId object, std::size_t nth, bool looks) {
  Barrier::Round& round = of(object).round(nth);
  const std::array<std::uint64_t, 1> open{of(object).value()};
  if (round.chooser != self().id) {
    commit(std::span(open).first(round.chooser == no_process || !looks ? 1 : 0));
    return looks && of(object).round(nth).serial == self().id;
  }
  const std::uint16_t choices = of(object).choices(round);
  const std::uint16_t choice = run().outcome(choices);
  state_.decision.choice = choice;
  round.serial = choice < round.lookers.size() ? round.lookers[choice] : no_process;
  const std::vector<ProcessId> released(round.lookers.begin() + 1, round.lookers.end());
  commit(open, choices, released);
  tell(choice);  // what the others will be told is part of the state from now on
  for (const ProcessId other : released) {
    run().release(other);
    run().enable(other, true);
  }
  return choice == 0;
}

bool Barriers::wait(const void* address, bool looks, Meeting meeting) {
  EngineScope scope;
  const std::uintptr_t where = address_of(address);
  const ObjectId object = object_at(address, kind::barrier);
  refuse_unusable(of(object), where);
  note_user(object);
  const bool crowded = is_crowded(object);
  const bool odd = of(object).complete() % 2 != 0;  // nobody can complete the round before us
  const std::uint8_t mode = crowded ? barrier_mode::arrive_in_order
                            : odd   ? barrier_mode::arrive_odd
                                    : barrier_mode::arrive;
  Step arrival(scheduler_, Action::barrier_arrive, where);
  arrival.await(Barrier::access(object, mode));
  arrival.record();
  arrival.commit(scheduler_.value_of(object));
  refuse_unusable(of(object), where);
  const std::size_t round = arrive(object, looks);

  const auto rounds = static_cast<std::uint16_t>(round + 1);
  note(Action::barrier_leave, where);
  const ProcessId chooser = of(object).round(round).chooser;
  if (looks && chooser != no_process && chooser != self().id) {
    park({}, false, false);
  } else {
    of(object).wait(self().id, rounds);
    const std::uint8_t departure = crowded || !odd ? barrier_mode::leave : barrier_mode::leave_odd;
    const std::array<Access, 1> leaving{Barrier::access(object, departure, rounds)};
    park({leaving, no_process, false}, of(object).complete() > round);
  }
  RawEvent* event = record(Action::barrier_leave, where);
  const bool serial = leave_round(object, round, looks);
  if (event != nullptr && serial) event->value = 1;
  Barrier& state = of(object);
  state.stop_waiting(self().id);
  if (meeting == Meeting::ordering) self().knowledge.now.join(state.round(round).gathered);
  if (looks) tell(serial ? 1 : 0);
  return serial;
}

}  // namespace mazurka::threads

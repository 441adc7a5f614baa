#include "programs/threads/runtime/primitives/futexes.hpp"

#include <array>
#include <cerrno>
#include <cstring>

namespace mazurka::threads {

bool Futexes::is_locked() const {
  return others_.weak_memory.graphs() && learned_.memory != MemoryModel::sc && !alone();
}

ObjectId Futexes::lock_of(const std::uint32_t* word) {
  return names_.object_for(address_of(word), kind::mutex);
}

// What a process learns by taking the lock: nothing, unless the model has no barriers to order it.
VectorClock& Futexes::learns() {
  if (learned_.memory == MemoryModel::ra) return self().knowledge.now;
  nothing_.clear();
  return nothing_;
}

void Futexes::lock(std::uint32_t* word) {
  const ObjectId object = lock_of(word);
  Mutex& state = others_.mutexes.of(object);
  note(Action::futex_wait, address_of(word));
  const std::array<Access, 1> access{Mutex::access(object, mutex_mode::lock)};
  others_.mutexes.wait_for_turn(object, access);
  state_.quiet = true;
  commit();
  spins_.watch_passing(object, gate_wish::alone);
  if (state_.tracking) state_.tracker.change(index(object), 0, index(self().id) + 1);
  state.take(self().id, learns());
  others_.mutexes.enable_waiting(state);
  others_.weak_memory.pass_barrier_in_order(object);
}

void Futexes::give_back(ObjectId object) {
  Mutex& state = others_.mutexes.of(object);
  if (state_.tracking) state_.tracker.change(index(object), index(self().id) + 1, 0);
  state.give_back(self().id, learns());
  others_.mutexes.enable_waiting(state);
}

void Futexes::unlock(std::uint32_t* word) {
  const ObjectId object = lock_of(word);
  const std::array<Access, 1> access{Mutex::access(object, mutex_mode::unlock)};
  park({access, no_process, false}, true);
  state_.quiet = true;
  const std::uint64_t before = others_.mutexes.of(object).value();
  commit(std::span(&before, 1));
  give_back(object);
}

std::uint32_t Futexes::look(std::uint32_t* word) {
  const Found found = others_.atomics.before_look({.address = address_of(word),
                                                   .size = sizeof *word,
                                                   .mode = memory_mode::read,
                                                   .order = MemoryOrder::relaxed});
  std::uint32_t seen = *word;
  if (found.older) std::memcpy(&seen, &found.value, sizeof seen);
  others_.atomics.after(address_of(word), sizeof *word, {Action::read, seen, 0, true, false},
                        MemoryOrder::relaxed);
  return seen;
}

int Futexes::wait(std::uint32_t* word, std::uint32_t value, bool timed) {
  EngineScope scope;
  if (!is_locked()) return others_.conditions.wait_on_word(word, value, timed);
  spins_.arrive(address_of(word), value);
  lock(word);
  if (look(word) != value) {
    unlock(word);
    return EAGAIN;
  }
  const ObjectId object = lock_of(word);
  const ObjectId condition = names_.object_for(address_of(word), kind::condition);
  note(Action::futex_wait, address_of(word));
  const std::array<Access, 2> start{Condition::access(condition, condition_mode::wait),
                                    Mutex::access(object, mutex_mode::unlock)};
  park({start, no_process, false}, true);
  if (RawEvent* event = record(Action::futex_wait, address_of(word), sizeof *word)) {
    event->value = 1;
    event->new_value = value;
    event->high = value;
    event->new_high = value;
  }
  state_.quiet = true;
  const std::array<std::uint64_t, 2> before{state_.conditions[condition].value(),
                                            others_.mutexes.of(object).value()};
  commit(before);
  give_back(object);
  return others_.conditions.sleep(word, timed);
}

int Futexes::wake(std::uint32_t* word, std::size_t count) {
  EngineScope scope;
  if (!is_locked()) {
    others_.weak_memory.pass_barrier();
    return others_.conditions.wake_at_word(word, count);
  }
  lock(word);
  const int woken = others_.conditions.wake_at_word(word, count);
  unlock(word);
  return woken;
}

}  // namespace mazurka::threads

#include "programs/threads/runtime/primitives/onces.hpp"

namespace mazurka::threads {

namespace {

// Name of a part of the state, for its fingerprint.
constexpr std::uint64_t done_part = std::uint64_t{1} << 40;

}  // namespace

std::span<const Access> Onces::accesses(ObjectId object, std::uint8_t mode, std::uintptr_t address,
                                        std::size_t size, std::uint8_t memory_mode) {
  scratch_.clear();
  scratch_.push_back(Mutex::access(object, mode));
  names_.cells().for_each(address, size, [&](ObjectId cell) {
    scratch_.push_back({cell, kind::memory, memory_mode, 0});
  });
  return scratch_;
}

bool Onces::begin(std::uintptr_t address, std::size_t size, Action action, bool always) {
  EngineScope scope;
  const ObjectId object = names_.object_for(address, kind::mutex);
  atomics_.use_as_guard(address);
  if (!alone() || !mutexes_.of(object).is_free()) {
    const bool only_looks = always && mutexes_.of(object).has_run();
    note(action, address);
    mutexes_.wait_for_turn(
        object, accesses(object, only_looks ? mutex_mode::heed : mutex_mode::lock, address, size,
                         memory_mode::read));
    record(action, address);
    commit();
  }
  Mutex& state = mutexes_.of(object);
  tell(state.has_run() ? 1 : 0);
  if (state.has_run()) {  // someone else has initialised it meanwhile
    state.learn(self().id, self().knowledge.now);
    return false;
  }
  mutexes_.take(object);
  return true;
}

void Onces::end(std::uintptr_t address, std::size_t size, bool initialised) {
  EngineScope scope;
  const ObjectId object = names_.object_for(address, kind::mutex);
  PrimitiveStep<Scheduler> step(scheduler_, Action::static_end, address, !alone());
  if (step.visible()) {
    step.await(accesses(object, mutex_mode::unlock, address, size, memory_mode::write));
    step.record();
    step.commit(mutexes_.of(object).value());
  }
  Mutex& state = mutexes_.of(object);
  if (state_.tracking) {
    state_.tracker.change(index(object) + done_part, state.has_run() ? 1 : 0, initialised ? 1 : 0);
  }
  state.set_run(initialised);
  // Compiled code checks the flag by an atomic read before it ever comes here.
  atomics_.cell(address).publish(self().knowledge.now);
  mutexes_.give_back(object);
}

}  // namespace mazurka::threads

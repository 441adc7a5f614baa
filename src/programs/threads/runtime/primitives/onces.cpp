// What is initialised once: static variables of functions, pthread_once.
#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

namespace {

// Name of a part of the state, for its fingerprint.
constexpr std::uint64_t done_part = std::uint64_t{1} << 40;

}  // namespace

bool Runtime::begin_static(std::uintptr_t address, std::size_t size, Action action) {
  EngineScope scope;
  const ObjectId object = object_for(address, kind::mutex);
  const bool visible = !alone() || mutex(object).owner != no_process;
  if (visible) {
    note(action, address);
    scratch_.clear();
    scratch_.push_back({object, kind::mutex, mutex_mode::lock, 0});
    cells_.for_each(address, size, [&](ObjectId cell) {
      scratch_.push_back({cell, kind::memory, memory_mode::read, 0});
    });
    wait_for_turn_to_lock(object, scratch_);
    record(action, address);
    commit();
  }
  Mutex& state = mutex(object);
  tell(state.done ? 1 : 0);
  if (state.done) {  // someone else has initialised it meanwhile
    std::erase(state.lockers, current_->id);
    current_->knowledge.now.join(state.released);
    return false;
  }
  take(object);
  return true;
}

void Runtime::end_static(std::uintptr_t address, std::size_t size, bool initialised) {
  EngineScope scope;
  const ObjectId object = object_for(address, kind::mutex);
  if (!alone()) {
    note(Action::static_end, address);
    scratch_.clear();
    scratch_.push_back({object, kind::mutex, mutex_mode::unlock, 0});
    cells_.for_each(address, size, [&](ObjectId cell) {
      scratch_.push_back({cell, kind::memory, memory_mode::write, 0});
    });
    park({scratch_, no_process, false}, true);
    record(Action::static_end, address);
    const std::array<std::uint64_t, 1> before{value_of_mutex(mutex(object))};
    commit(before);
  }
  Mutex& state = mutex(object);
  if (state_.tracking)
    state_.tracker.change(index(object) + done_part, state.done ? 1 : 0, initialised ? 1 : 0);
  state.done = initialised;
  // Compiled code checks the flag by an atomic read before it ever comes here.
  atomic_cell(address).released.assign(current_->knowledge.now);
  give_back(object);
}

}  // namespace mazurka::threads

// The rule of a mutex: one process holds it, and only while nobody does can another take it.
//
// Also that of the guard of a static variable and of pthread_once, which remember besides that the
// initialiser has run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/vocabulary.hpp"
#include "native/memory_model/clocks.hpp"
#include "programs/threads/runtime/primitives/operations.hpp"

namespace mazurka::threads {
using namespace native;

class Mutex {
 public:
  [[nodiscard]] static Access access(ObjectId object, std::uint8_t mode) {
    return {object, kind::mutex, mode, 0};
  }

  [[nodiscard]] bool is_free() const { return owner_ == no_process; }
  [[nodiscard]] ProcessId owner() const { return owner_; }
  [[nodiscard]] std::uint32_t depth() const { return depth_; }
  /// What guards compare: who holds it, or mutex_free.
  [[nodiscard]] std::uint64_t value() const { return is_free() ? mutex_free : index(owner_) + 1; }

  /// As if it were new; who is parked at a lock stays there.
  void set_up() {
    owner_ = no_process;
    depth_ = 0;
    has_run_ = false;
    released_ = {};
  }

  /// The process is parked at a lock: it can move while the mutex is free.
  void wait(ProcessId process) {
    MAZURKA_CHECK(std::find(waiting_.begin(), waiting_.end(), process) == waiting_.end(),
                  "a process waits once");
    waiting_.push_back(process);
  }
  [[nodiscard]] const std::vector<ProcessId>& waiting() const { return waiting_; }

  /// The process holds it from now on, and knows what those before it have done.
  void take(ProcessId process, VectorClock& knowledge, std::uint32_t depth = 1) {
    MAZURKA_CHECK(is_free() && depth > 0, "only a mutex that is free is taken");
    learn(process, knowledge);
    owner_ = process;
    depth_ = depth;
  }
  /// Whoever takes it next knows what the process has done so far.
  void give_back(ProcessId process, VectorClock& knowledge) {
    owner_ = no_process;
    depth_ = 0;
    released_.assign(knowledge);
    knowledge.tick(process);
  }
  /// The process waits no more, and knows what those before it have done.
  void learn(ProcessId process, VectorClock& knowledge) {
    stop_waiting(process);
    knowledge.join(released_);
  }
  void stop_waiting(ProcessId process) { std::erase(waiting_, process); }

  // Of a recursive mutex: its owner locks it once more, and unlocks it but for the last time.
  void lock_again() { ++depth_; }
  void unlock_inner() {
    MAZURKA_CHECK(depth_ > 1, "the last unlock gives the mutex back");
    --depth_;
  }

  [[nodiscard]] bool has_run() const { return has_run_; }
  void set_run(bool has_run) { has_run_ = has_run; }

  friend bool operator==(const Mutex&, const Mutex&) = default;

 private:
  ProcessId owner_ = no_process;
  std::uint32_t depth_ = 0;
  bool has_run_ = false;
  std::vector<ProcessId> waiting_;
  VectorClock released_;
};

}  // namespace mazurka::threads

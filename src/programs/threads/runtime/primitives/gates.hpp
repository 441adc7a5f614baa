// Read-write locks, spin locks and semaphores of the program.
#pragma once

#include "programs/threads/runtime/primitives/gate.hpp"
#include "programs/threads/runtime/primitives/primitive.hpp"

namespace mazurka::threads {

class Gates : public Primitive {
 public:
  Gates(Scheduler& scheduler, Watchers watchers) : Primitive(scheduler, watchers) {}

  int pass(const void* address, GateUse use, std::uint16_t wish);
  /// True: it has passed.
  bool try_to_pass(const void* address, GateUse use, std::uint16_t wish);
  int unlock(const void* address, GateUse use);
  /// The value before.
  std::uint64_t change(const void* address, GateUse use, Action action,
                       std::uint64_t (*next)(std::uint64_t));
  void set_up(const void* address, std::uint64_t value, GateUse use);
  void destroy(const void* address, GateUse use);

 private:
  Gate& of(ObjectId object) { return state_.gates[object]; }
  void refuse_destroyed(const void* address, GateUse use) {
    Primitive::refuse_destroyed(address, name(use));
  }
  void enter(ObjectId object, std::uint16_t wish);
  /// The number was another one before: who waits may be able to move now, or not any more.
  void note_change(ObjectId object, std::uint64_t before);
};

}  // namespace mazurka::threads

// Barriers of the program.
#pragma once

#include "programs/threads/runtime/primitives/barrier.hpp"
#include "programs/threads/runtime/primitives/primitive.hpp"

namespace mazurka::threads {

class Barriers : public Primitive {
 public:
  Barriers(Scheduler& scheduler, Watchers watchers) : Primitive(scheduler, watchers) {}

  void set_up(const void* address, unsigned count);
  void destroy(const void* address);
  /// True for one of those that it lets through together, any of them. `looks`: the caller may look
  /// at that.
  bool wait(const void* address, bool looks, Meeting meeting = Meeting::ordering);

 private:
  Barrier& of(ObjectId object) { return state_.barriers[object]; }
  [[nodiscard]] bool is_crowded(ObjectId object) const;
  void note_user(ObjectId object);
  void refuse_unusable(const Barrier& state, std::uintptr_t address);
  [[nodiscard]] std::size_t arrive(ObjectId object, bool looks);
  void set_followers_aside(Barrier& state, const Barrier::Round& round);
  [[nodiscard]] bool leave_round(ObjectId object, std::size_t round, bool looks);
};

}  // namespace mazurka::threads

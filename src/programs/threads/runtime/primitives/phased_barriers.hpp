// Barriers of C++.
#pragma once

#include <cstddef>
#include <cstdint>

#include "programs/threads/runtime/primitives/phased_barrier.hpp"
#include "programs/threads/runtime/primitives/primitive.hpp"

namespace mazurka::threads {

class PhasedBarriers : public Primitive {
 public:
  using Arrival = PhasedBarrier::Arrival;
  struct Arrived {
    std::uint64_t phase = 0;
    bool finishes = false;
  };

  PhasedBarriers(Scheduler& scheduler, Watchers watchers) : Primitive(scheduler, watchers) {}

  // One is named by where it keeps the number that it was made with. One that is made before the
  // program begins is first seen when it is used.
  void set_up(const std::ptrdiff_t* address);
  void destroy(const std::ptrdiff_t* address);
  /// If `finishes`, the caller calls the completion function, and then `finish`.
  Arrived arrive(const std::ptrdiff_t* address, const Arrival& arrival);
  /// The same if it is true.
  bool wait(const std::ptrdiff_t* address, std::uint64_t phase);
  /// The completion function has returned.
  void finish(const std::ptrdiff_t* address);

 private:
  PhasedBarrier& of(ObjectId object, const std::ptrdiff_t* address);
  PhasedBarrier& require(ObjectId object, const std::ptrdiff_t* address);
  [[nodiscard]] bool counts_order(std::uintptr_t where) const {
    return learned_.ordered.contains(where);
  }
  [[noreturn]] void learn_that_order_matters(std::uintptr_t where);
  void enable_waiting(const PhasedBarrier& state);
  void set_followers_aside(PhasedBarrier& state, const PhasedBarrier::Phase& phase);
  void wait_aside(ObjectId object);
  [[nodiscard]] bool leave_phase(ObjectId object, std::uint64_t nth, std::uintptr_t where);
  void choose_finisher(PhasedBarrier& state, std::uint64_t nth, std::uintptr_t where);
  void release_followers(PhasedBarrier& state);
};

}  // namespace mazurka::threads

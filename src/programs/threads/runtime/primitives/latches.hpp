// Latches of the program.
#pragma once

#include <cstddef>

#include "programs/threads/runtime/primitives/latch.hpp"
#include "programs/threads/runtime/primitives/primitive.hpp"

namespace mazurka::threads {

class Latches : public Primitive {
 public:
  Latches(Scheduler& scheduler, Watchers watchers) : Primitive(scheduler, watchers) {}

  // One is named by where it keeps the number that it was made with. One that is initialised before
  // the program begins is first seen when it is used.
  void set_up(const std::ptrdiff_t* address);
  void count_down(const std::ptrdiff_t* address, std::ptrdiff_t times);
  void wait(const std::ptrdiff_t* address);
  /// Whether it is open.
  bool look(const std::ptrdiff_t* address);

 private:
  Latch& of(ObjectId object, const std::ptrdiff_t* address);
  void enable_waiting(const Latch& state);
};

}  // namespace mazurka::threads

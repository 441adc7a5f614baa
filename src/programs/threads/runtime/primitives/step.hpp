// One step of a primitive, as each of them goes: announce it, park until it is this process's turn,
// write it down for the report, and commit it.
//
// Where nobody else is there to notice, an operation is no step: then it is only written down. So a
// primitive is told once whether it is, and reads the same for both.
//
// `Scheduler` is the one of the runtime; in tests, one that only notes what it is asked for.
#pragma once

#include <cstdint>
#include <span>

#include "core/vocabulary.hpp"
#include "host/protocol.hpp"

namespace mazurka::threads {
using namespace host;

template <typename Scheduler>
class PrimitiveStep {
 public:
  PrimitiveStep(Scheduler& scheduler, Action action, std::uintptr_t address, bool visible = true)
      : scheduler_(scheduler), action_(action), address_(address), visible_(visible) {}

  [[nodiscard]] bool visible() const { return visible_; }

  /// Announces what the step may touch; returns when it is this process's turn. `enabled`: it could
  /// be taken now.
  void await(std::span<const Access> accesses, bool enabled = true) {
    if (!visible_) return;
    scheduler_.note(action_, address_);
    scheduler_.park({accesses, no_process, false}, enabled);
  }
  void await(const Access& access, bool enabled = true) { await(std::span(&access, 1), enabled); }

  /// The event of the report, if one is made.
  RawEvent* record() {
    RawEvent* event = scheduler_.record(action_, address_);
    if (event != nullptr && !visible_) event->flags |= flag_plain;
    return event;
  }

  /// The step happens now. `before`: the value that the object had; `performed`: what the step
  /// does, if that is less than what was announced.
  void commit() {
    if (visible_) scheduler_.commit();
  }
  void commit(std::uint64_t before, Footprint performed = {}) {
    if (visible_) scheduler_.commit(std::span(&before, 1), 1, {}, performed);
  }

 private:
  Scheduler& scheduler_;
  Action action_;
  std::uintptr_t address_;
  bool visible_;
};

}  // namespace mazurka::threads

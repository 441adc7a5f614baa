// What every part of the runtime has: the scheduler, and short names for what it is asked most.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "programs/threads/runtime/scheduler.hpp"

namespace mazurka::threads {

inline std::uintptr_t address_of(const void* object) {
  return reinterpret_cast<std::uintptr_t>(object);
}

class Part {
 public:
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

 protected:
  explicit Part(Scheduler& scheduler)
      : scheduler_(scheduler),
        state_(scheduler.state()),
        learned_(scheduler.learned()),
        names_(scheduler.names()),
        request_(scheduler.request()) {}
  ~Part() = default;

  [[nodiscard]] Process& self() const { return scheduler_.current(); }
  [[nodiscard]] Process& process(ProcessId id) const { return scheduler_.process(id); }
  [[nodiscard]] Run& run() const { return scheduler_.run(); }
  [[nodiscard]] Recorder* recorder() const { return scheduler_.recorder(); }
  [[nodiscard]] bool alone() const { return scheduler_.alone(); }
  [[nodiscard]] bool racy() const { return request_.racy; }
  /// In one of the competition's atomic blocks.
  [[nodiscard]] bool in_block() const { return self().blocks != 0; }
  [[nodiscard]] bool in_section() const { return state_.section != Section::none; }
  [[nodiscard]] bool in_own_stack(std::uintptr_t address) const {
    const std::size_t slot = index(self().id);
    return in_zone(address) && slot_of(address) == slot && in_stack_of(slot, address);
  }

  void note(Action action, std::uintptr_t address, ProcessId peer = no_process) {
    scheduler_.note(action, address, peer);
  }
  void park(const Operation& operation, bool enabled, bool released = true,
            std::span<const std::uint32_t> causes = {}) {
    scheduler_.park(operation, enabled, released, causes);
  }
  RawEvent* record(Action action, std::uintptr_t address, std::size_t size = 0) {
    return scheduler_.record(action, address, size);
  }
  void commit(std::span<const std::uint64_t> before = {}, std::uint16_t choices = 1,
              std::span<const ProcessId> released = {}, Footprint performed = {}) {
    scheduler_.commit(before, choices, released, performed);
  }
  void tell(std::uint64_t value) { scheduler_.tell(value); }
  [[noreturn]] void leave() { scheduler_.leave(); }
  [[noreturn]] void fail(FindingKind kind, std::string message, std::string key) {
    scheduler_.fail(kind, std::move(message), std::move(key));
  }

  Scheduler& scheduler_;
  ExecutionState& state_;
  Learned& learned_;
  Names& names_;
  const Request& request_;
};

}  // namespace mazurka::threads

// Runs a small program on atomic variables under the checker without compiling it: a front-end of
// its own, for tests. What an operation reads is decided by the code that decides it for programs
// with threads (memory_model/weak_operation.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/program.hpp"
#include "memory/program.hpp"
#include "memory/seen.hpp"
#include "programs/threads/runtime/memory_model/weak_operation.hpp"
#include "programs/threads/runtime/primitives/gate.hpp"
#include "programs/threads/runtime/primitives/mutex.hpp"

namespace mazurka::memory {

class ModelProgram final : public mazurka::Program {
 public:
  /// `graphs`: for a technique that explores these.
  ModelProgram(const memory::Program& program, host::MemoryModel model, bool graphs);

  [[nodiscard]] const Vocabulary& vocabulary() const override;
  void run(Run& run) override;

  /// What the latest execution has told, if all threads came to their end.
  [[nodiscard]] const std::optional<std::string>& outcome() const { return outcome_; }

 private:
  struct Thread {
    ProcessId name{};
    std::size_t next = 0;  // operation
    int last = 0;          // that was read
    std::vector<int> told;
    threads::Knowledge knowledge;
    std::uint32_t barriers = 0;
  };
  void begin(Run& run);
  void go_on(Run& run, Thread& thread);
  void announce(Run& run, const Thread& thread, const Operation& operation);
  [[nodiscard]] bool step(Run& run, Thread& thread);
  [[nodiscard]] bool commit(Run& run, std::uint16_t choices,
                            const std::vector<std::uint64_t>& before, Footprint performed = {});
  [[nodiscard]] bool use_mutex(Run& run, Thread& thread, const Operation& operation);
  [[nodiscard]] bool use_semaphore(Run& run, Thread& thread, const Operation& operation);
  void go_elsewhere(Thread& thread, bool is_barrier);
  [[nodiscard]] bool can_go_on(const Operation& operation) const;
  [[nodiscard]] bool access(Run& run, Thread& thread, const Operation& operation);
  void let_others_in(Run& run);
  void tell_outcome();
  [[nodiscard]] threads::Actor actor(Thread& thread) const {
    return {thread.name, thread.knowledge, thread.barriers};
  }
  [[nodiscard]] const std::vector<Operation>& operations(const Thread& thread) const {
    return program_.threads[static_cast<std::size_t>(&thread - threads_.data())];
  }
  [[nodiscard]] Access lock_access(const Operation& operation) const;

  const memory::Program& program_;
  host::MemoryModel model_;
  bool graphs_;
  threads::TracePast past_;
  threads::WeakOperation::Histories histories_;
  threads::AccessGraph graph_;
  threads::WeakOperation operation_{past_, histories_, graph_};
  std::array<threads::Mutex, memory::Program::mutexes> mutexes_;
  threads::Gate semaphore_;
  std::vector<Thread> threads_;
  std::vector<std::size_t> thread_of_;  // per process
  bool assumed_ = false;
  std::optional<std::string> outcome_;
};

/// Everything that the technique sees of the program.
[[nodiscard]] Seen explore(const Program& program, host::MemoryModel model,
                           const std::string& technique);

}  // namespace mazurka::memory

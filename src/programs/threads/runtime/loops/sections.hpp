// Indivisible sections, and the verification competition's atomic blocks: pieces of the program
// that run as one step. The idea is in sections.cpp.
#pragma once

#include <csetjmp>
#include <cstdint>
#include <vector>

#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

class Mutexes;
class SpinRecognition;

/// What the competition's atomic blocks lock.
extern pthread_mutex_t verifier_lock;

class Sections : public Part {
 public:
  Sections(Scheduler& scheduler, SpinRecognition& spins, Mutexes& mutexes)
      : Part(scheduler), spins_(spins), mutexes_(mutexes) {}

  /// Runs `body(argument)` as one indivisible step. Of what it reads nothing is remembered but
  /// what it returns.
  void perform(std::uint64_t (*body)(void*), void* argument);
  /// The section under way accesses memory.
  void access(std::uintptr_t address, std::size_t size, bool write);
  /// It fails in its rehearsal.
  [[noreturn]] void end_rehearsal();

  void begin_block();
  void end_block();
  /// The block, if there is one, never was: its writes are taken back, except those to the
  /// process's own stack below `live_from`, where the caller's frame ends.
  void take_back_block(const void* live_from);
  /// The current process is about to write there, in a block or in a rehearsal.
  void keep_for_undo(std::uintptr_t address, std::size_t size);
  /// In the program that has blocks every access to memory waits until nobody is in one.
  void heed_blocks(std::vector<Access>& accesses);
  /// Run::announce, in a program that has blocks.
  void announce(const Operation& operation, bool enabled, bool released);
  [[nodiscard]] std::uint64_t value_of_block();

 private:
  [[nodiscard]] ObjectId block_object();
  [[nodiscard]] static bool heeds_blocks(Footprint footprint);
  void show_block();
  void undo_writes(std::uintptr_t live_from);
  [[nodiscard]] bool in_dead_frame(std::uintptr_t address, std::uintptr_t live_from) const;
  void rehearse(std::uint64_t (*body)(void*), void* argument);
  [[nodiscard]] Surprise* surprise_of(ProcessId process, std::uint64_t (*body)(void*));
  void restart_with(const std::vector<Touched>& widest, std::uint64_t (*body)(void*));

  SpinRecognition& spins_;
  Mutexes& mutexes_;
  std::jmp_buf* rehearsal_exit_ = nullptr;
  std::vector<Access> scratch_;
  std::vector<Access> in_block_;  // scratch: of a step in a block
};

}  // namespace mazurka::threads

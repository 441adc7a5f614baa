// Plain accesses of the program to memory, and which of them are scheduling decisions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "programs/threads/runtime/memory_model/variable_bounds.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

class HeapChecks;
class Races;
class Sections;
class SpinRecognition;
class WeakMemory;
class WrittenBytes;

class Accesses : public Part {
 public:
  struct Others {
    SpinRecognition& spins;
    Sections& sections;
    Races& races;
    HeapChecks& heap;
    WeakMemory& weak_memory;
    WrittenBytes& written;
  };
  Accesses(Scheduler& scheduler, const Others& others)
      : Part(scheduler),
        spins_(others.spins),
        sections_(others.sections),
        races_(others.races),
        heap_(others.heap),
        weak_memory_(others.weak_memory),
        written_(others.written),
        bounds_(scheduler, others.races) {}

  /// `code` is where it was made.
  void plain(std::uintptr_t address, std::size_t size, bool write, const void* code);
  /// The same, by a library: it must stay within one variable.
  void by_library(std::uintptr_t address, std::size_t size, bool write, const void* code) {
    bounds_.require(address, size, write, code);
    plain(address, size, write, code);
  }
  /// The same, to a volatile variable.
  void volatile_one(std::uintptr_t address, std::size_t size, bool write, const void* code);

  /// Announces a step that accesses memory, and parks until it is this process's turn.
  void visit(std::uintptr_t address, std::size_t size, std::uint8_t mode, Action action);
  /// The same of an atomic variable, where graphs are explored: no step depends on it.
  void visit_variable(std::uintptr_t address, std::size_t size, Action action);
  /// A block is about to be freed: a step that touches what of it is exposed.
  void visit_exposed(std::uintptr_t address, std::size_t size);
  /// The words that these bytes are in are gone: a step that writes to all of them.
  void end_words(std::span<const std::uintptr_t> bytes);
  /// Whether only the current process uses this variable of its stack.
  [[nodiscard]] bool is_private_stack(std::uintptr_t address);
  /// No operation of MPI that is under way in this rank has the memory: a finding otherwise.
  void require_not_owned(std::uintptr_t address, std::size_t size, bool write);
  /// An operation of MPI reaches into memory of another rank.
  void check_remote(std::uintptr_t address, std::size_t size, bool write, const void* code);
  /// The current process makes everybody pass a fence: a step that conflicts with all accesses.
  void fence_everybody();
  /// For the fingerprint of the state.
  void track(std::uintptr_t address, std::size_t size, bool read, bool write);

 private:
  void require_own_memory(std::uintptr_t address);
  void require_no_conflict(std::uintptr_t address, std::size_t size, bool write);
  void visible(std::uintptr_t address, std::size_t size, bool write, const void* code);
  void stand_in(std::uintptr_t address, std::size_t size, bool write);
  void heed_others();

  SpinRecognition& spins_;
  Sections& sections_;
  Races& races_;
  HeapChecks& heap_;
  WeakMemory& weak_memory_;
  WrittenBytes& written_;
  VariableBounds bounds_;
  std::vector<Access> scratch_;
};

}  // namespace mazurka::threads

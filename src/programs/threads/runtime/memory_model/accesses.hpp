// Plain accesses of the program to memory, and which of them are scheduling decisions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

class HeapChecks;
class Races;
class Sections;
class SpinRecognition;
class WrittenBytes;

class Accesses : public Part {
 public:
  Accesses(Scheduler& scheduler, SpinRecognition& spins, Sections& sections, Races& races,
           HeapChecks& heap, WrittenBytes& written)
      : Part(scheduler),
        spins_(spins),
        sections_(sections),
        races_(races),
        heap_(heap),
        written_(written) {}

  /// `code` is where it was made.
  void plain(std::uintptr_t address, std::size_t size, bool write, const void* code);
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
  /// For the fingerprint of the state.
  void track(std::uintptr_t address, std::size_t size, bool read, bool write);

 private:
  void require_own_memory(std::uintptr_t address);
  void require_no_conflict(std::uintptr_t address, std::size_t size, bool write);
  void visible(std::uintptr_t address, std::size_t size, bool write, const void* code);

  SpinRecognition& spins_;
  Sections& sections_;
  Races& races_;
  HeapChecks& heap_;
  WrittenBytes& written_;
  std::vector<Access> scratch_;
};

}  // namespace mazurka::threads

// Finds out where a process would be had it looked later. The idea is in twins.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "programs/threads/runtime/loops/spin_watch.hpp"
#include "programs/threads/runtime/machine/snapshot.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

/// In a copy of the program: it has seen enough.
[[noreturn]] void end_twin();

class Twins : public Part {
 public:
  Twins(Scheduler& scheduler, const ThreadLocals& thread_locals)
      : Part(scheduler), thread_locals_(thread_locals) {}

  /// After an operation that only read, and handed on what it saw.
  void note_look(const SpinWatch::Look& look);
  /// The first of the places where the process has looked before at what it has looked at last, and
  /// from where it may have tried again; their number if there is none.
  [[nodiscard]] std::size_t first_look(const SpinWatch::Place& here) const;
  /// The process would be here, and the same, had it looked only now at what it has looked at.
  /// Then: from which place it would have looked.
  [[nodiscard]] std::optional<std::size_t> tries_again(const SpinWatch::Place& here);
  /// This copy of the program has come to its next operation.
  [[noreturn]] void arrive(const SpinWatch::Place& here);

 private:
  [[nodiscard]] bool is_of_no_interest() const;
  [[nodiscard]] bool may_try_again(std::size_t from, const SpinWatch::Place& here) const;
  [[nodiscard]] Fingerprint fingerprint_at(const SpinWatch::Place& place) const;
  /// How the process comes to its next operation if it reads this value there; if that can be told.
  [[nodiscard]] std::optional<Fingerprint> try_out(const SpinWatch::Place& there,
                                                   std::uint64_t value);
  [[nodiscard]] std::optional<Fingerprint> look_at_copy(const SpinWatch::Place& there,
                                                        std::uint64_t value);
  [[noreturn]] void go_on_as_twin(const SpinWatch::Place& there, std::uint64_t value);

  struct HashOfFingerprint {
    std::size_t operator()(const Fingerprint& one) const { return one.low; }
  };
  struct Answer {
    bool arrived;
    Fingerprint state;
  };
  const ThreadLocals& thread_locals_;
  std::unordered_map<Fingerprint, std::optional<Fingerprint>, HashOfFingerprint> answers_;
  std::vector<std::size_t> looks_;  // places from where it may have tried again, the latest first
  Answer* answer_ = nullptr;        // seen by copies of the program, too
  std::size_t reads_ = 0;           // in a copy: so many reads had been made before it
  std::uintptr_t look_ = 0;         // ... and what it is told anew
};

}  // namespace mazurka::threads

// Thread-specific data: the keys of the program, and what each process has for them.
//
// Calls with keys are no scheduling points. Deleting a key decides what later calls with it return
// and whether its destructor runs at the end of a thread, so it must be ordered with all of these.
#pragma once

#include "programs/threads/runtime/memory_model/races.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

class ThreadKeys : public Part {
 public:
  ThreadKeys(Scheduler& scheduler, Races& races) : Part(scheduler), races_(races) {}
  /// Keys that were made before executions begin belong to the C library; ours are numbered from
  /// here on, so many for each process: a key is named by who creates it.
  static constexpr unsigned first = 1U << 16;
  static constexpr unsigned per_process = 1024;

  int create(void (*destructor)(void*), unsigned* key);
  int remove(unsigned key);
  [[nodiscard]] void* value(unsigned key);
  int set_value(unsigned key, const void* value);
  /// The current process ends: calls the program's destructors for what it has.
  void run_destructors();

 private:
  [[nodiscard]] const ThreadKey* find(unsigned name) const;
  void use(unsigned name, Use use);

  Races& races_;
};

}  // namespace mazurka::threads

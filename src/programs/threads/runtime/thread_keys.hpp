// Thread-specific data: the keys of the program, and what each process has for them.
#pragma once

#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

class ThreadKeys : public Part {
 public:
  explicit ThreadKeys(Scheduler& scheduler) : Part(scheduler) {}
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
};

}  // namespace mazurka::threads

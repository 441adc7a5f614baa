// What an execution performs: the program from its first constructor to its last destructor, or one
// call in the middle of it.
#pragma once

#include <span>

#include "programs/threads/runtime/machine/rank_images.hpp"
#include "programs/threads/runtime/state/process.hpp"
#include "programs/threads/runtime/threads.hpp"

namespace mazurka::threads {

class Course {
 public:
  struct Subject {
    int (*main)(int, char**, char**) = nullptr;
    int argc = 0;
    char** argv = nullptr;
    char** environment = nullptr;
    bool whole = true;                        // not only a call, which leaves the program as it is
    std::span<std::byte> callers{};           // the call's, on the stack
    std::span<const ExitHandler> handlers{};  // that were registered before the call
  };
  explicit Course(const Subject& subject) : subject_(subject) {}

  [[nodiscard]] const Subject& subject() const { return subject_; }
  /// By the first process: up to main, and from there on.
  void begin(Threads& threads) const;
  [[noreturn]] void perform(Threads& threads) const;
  /// By the process of a rank, with the rank's copy of the program.
  [[noreturn]] void perform(Threads& threads, const RankImage& own) const;

 private:
  Subject subject_;
};

}  // namespace mazurka::threads

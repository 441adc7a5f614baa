// What an execution performs: the program from its first constructor to its last destructor, or to
// the end of one call in the middle of it.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "programs/threads/runtime/machine/rank_images.hpp"
#include "programs/threads/runtime/threads.hpp"

namespace mazurka::threads {

class Course {
 public:
  struct Subject {
    int (*main)(int, char**, char**) = nullptr;
    int argc = 0;
    char** argv = nullptr;
    char** environment = nullptr;
  };
  explicit Course(const Subject& subject) : subject_(subject) {}

  /// Memory that main gets: the program may reorder its arguments, and write over them.
  [[nodiscard]] std::array<std::span<std::byte>, 2> words() const;
  /// By the first process: up to main, and from there on.
  void begin(Threads& threads) const;
  [[noreturn]] void perform(Threads& threads) const;
  /// By the process of a rank, with the rank's copy of the program.
  [[noreturn]] void perform(Threads& threads, const RankImage& own) const;

 private:
  Subject subject_;
};

}  // namespace mazurka::threads

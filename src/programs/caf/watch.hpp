// Memory that actors share: what the program's own code accesses is looked at.
//
// The program is compiled with the instrumentation of memory accesses, and tells of each
// (access_hooks.cpp). Only what its own functions do counts, and what they have the C++ library do
// for them: CAF's templates, which are compiled with the program, share by reference counts and
// copy on write, and are right. Two accesses that conflict with no message in between are a data
// race. Atomic variables and locks that two actors use are none, but what they lead to is not
// explored, since a handler is one step here: then nothing is verified.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "programs/caf/code_names.hpp"
#include "programs/caf/shared_memory.hpp"
#include "programs/caf/system.hpp"

namespace mazurka::caf {

class Watch {
 public:
  using Kind = SharedMemory::Kind;

  Watch(System& system, Traffic& traffic) : system_(system), traffic_(traffic) {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() { end(); }

  /// The one whose execution is under way; null: nobody looks.
  [[nodiscard]] static Watch* active() { return active_; }
  /// The program was compiled with the instrumentation.
  static void program_is_instrumented() { instrumented_ = true; }
  [[nodiscard]] static bool instrumented() { return instrumented_; }

  void begin();
  void end() {
    if (active_ == this) active_ = nullptr;
  }
  /// A handler runs on the stack from here on; null: main goes on.
  void run_above(const void* frame) { stack_end_ = reinterpret_cast<std::uintptr_t>(frame); }

  /// An access of the program, told from `code`, in the function with this frame.
  struct Site {
    std::uintptr_t code;
    const void* frame;
  };
  void access(const void* address, std::size_t size, Kind kind, Site site);
  /// Also learns, or publishes, what the variable stands for.
  void atomic_access(const void* address, std::size_t size, Kind kind, std::memory_order order,
                     Site site);
  void fence(Site site);
  void lock(const void* mutex, Site site);
  void unlock(const void* mutex, Site site);
  /// A variable that is made when it is first used is ready.
  void initialised(const void* guard, Site site);
  void freed(const void* address, std::size_t size);

  /// The receiver of a message that others have, too, and the one that has it alone: what it
  /// carries may be changed by the latter, and counting has told it that the others are done.
  void has_read(const void* content);
  void has_alone(const void* content);

  /// What the program does whose behaviours may not have been explored; empty: nothing.
  [[nodiscard]] const std::string& unexplored() const { return unexplored_; }

 private:
  /// Whose doing it is; the site becomes the place in their code.
  [[nodiscard]] Owner who_asks(Site& site);
  [[nodiscard]] bool is_private(std::uintptr_t address) const;
  void note_race(std::uintptr_t address, const SharedMemory::Past& earlier,
                 const SharedMemory::Past& later);
  void note_shared(const std::string& what, std::uintptr_t code);
  [[nodiscard]] std::string name_of(std::uint32_t process) const;
  [[nodiscard]] Knowledge::Clock& published(const void* address) { return published_[address]; }

  static inline Watch* active_ = nullptr;
  static inline bool instrumented_ = false;

  System& system_;
  Traffic& traffic_;
  CodeNames* names_ = nullptr;
  SharedMemory memory_;
  std::uintptr_t stack_end_ = 0;
  bool fences_ = false;
  bool recording_ = false;  // memory that is freed meanwhile is our own
  std::unordered_map<const void*, Knowledge::Clock> published_;
  std::unordered_map<const void*, std::pair<std::uint32_t, std::uint32_t>> unlocked_;  // who, when
  std::vector<std::string> told_;  // races of this execution
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> private_;
  std::string unexplored_;
};

}  // namespace mazurka::caf

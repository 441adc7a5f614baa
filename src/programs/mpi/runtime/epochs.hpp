// Epochs of windows: when a rank may reach into another, and when that is done.
//
// A fence is a collective operation. A lock is a step that depends on other locks of the same
// rank's part, so every order in which they can be granted is explored; it is granted when it is
// asked for, which the standard allows. MPI_Win_start waits for MPI_Win_post of all that it names,
// MPI_Win_wait for MPI_Win_complete of all that were named.
//
// The standard also allows a lock to be granted, and MPI_Win_start to wait, later: not before an
// operation has to be complete. Nobody can tell unless the rank meets others in between
// (MpiPart::meet_others), and then the search says that it has not seen everything.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "programs/mpi/runtime/checks.hpp"
#include "programs/mpi/runtime/communicators.hpp"
#include "programs/mpi/runtime/epoch_waits.hpp"
#include "programs/mpi/runtime/mpi_part.hpp"
#include "programs/mpi/runtime/updates.hpp"
#include "programs/mpi/runtime/windows.hpp"

namespace mazurka::mpi {

class Epochs : public MpiPart {
 public:
  struct Parts {
    Checks& checks;
    Communicators& communicators;
    Completion& completion;
    Windows& windows;
    EpochWaits& waits;
    Updates& updates;
    threads::SpinRecognition& spins;
  };
  Epochs(const Context& context, const Parts& parts)
      : MpiPart(context),
        checks_(parts.checks),
        communicators_(parts.communicators),
        completion_(parts.completion),
        windows_(parts.windows),
        waits_(parts.waits),
        updates_(parts.updates),
        spins_(parts.spins) {}

  // All answer with an error class, and take a window that was checked.
  int fence(const char* call, std::uint64_t window, int assertion);
  int lock(const char* call, std::uint64_t window, int target, bool alone, bool unchecked);
  int unlock(const char* call, std::uint64_t window, int target);
  int lock_all(const char* call, std::uint64_t window, bool unchecked);
  int unlock_all(const char* call, std::uint64_t window);
  /// `target`: negative: all. `locally`: only so far that the rank may use its buffers again.
  int flush(const char* call, std::uint64_t window, int target, bool locally);
  /// The group is one of ranks of MPI_COMM_WORLD.
  int start(const char* call, std::uint64_t window, const std::vector<int>& group);
  int complete(const char* call, std::uint64_t window);
  int post(const char* call, std::uint64_t window, const std::vector<int>& group);
  int wait(const char* call, std::uint64_t window);
  int test(const char* call, std::uint64_t window, bool* done);

  /// Whether the rank may reach into the target now: an error class.
  [[nodiscard]] int check_access(const char* call, std::uint64_t window, int target);
  /// The same for an operation with a request: only a lock will do.
  [[nodiscard]] int check_lock(const char* call, std::uint64_t window, int target);
  /// There is an operation on the target now, under its lock if the rank has it. `window`: its
  /// number in World::windows.
  void use_lock(std::uint32_t window, int target);

 private:
  [[nodiscard]] int check_no_other(const char* call, std::uint64_t window);
  [[nodiscard]] int check_nothing_pending(const char* call, std::uint64_t window,
                                          const std::string& why);
  [[nodiscard]] int check_posted(const char* call, std::uint64_t window);
  [[nodiscard]] int check_group(const char* call, std::uint64_t window,
                                const std::vector<int>& group);
  void end_operations(const char* call, std::uint64_t window, int target, bool locally);
  void take_locks(const char* call, std::uint64_t window, int target, bool alone);
  void commit_locks(const char* call, std::uint32_t window, int target);
  void give_back_locks(const char* call, std::uint64_t window, int target);
  [[nodiscard]] bool can_lock(const LockWaiter& waiter) const;
  void let_waiters_try();
  void look_for_late(const WindowLock& lock, int target, bool alone);
  void make_certain(std::uint32_t window, int target);
  template <typename Visit>
  void for_each_lock(std::uint32_t window, int target, Visit visit);
  [[nodiscard]] std::vector<int> ranks_of(std::uint64_t window, const std::vector<int>& group);
  void end_exposure(std::uint64_t window);
  [[nodiscard]] std::string lock_words(const char* call, std::uint64_t window, int target) const;

  Checks& checks_;
  Communicators& communicators_;
  Completion& completion_;
  Windows& windows_;
  EpochWaits& waits_;
  Updates& updates_;
  threads::SpinRecognition& spins_;
  std::vector<Access> scratch_;
  std::vector<std::uint64_t> values_;
};

}  // namespace mazurka::mpi

// Locks of windows.
#include <algorithm>

#include "core/check.hpp"
#include "programs/mpi/runtime/epochs.hpp"
#include "programs/threads/runtime/loops/spin_recognition.hpp"

namespace mazurka::mpi {

namespace {

/// Names what a process holds while it goes round in a loop.
std::uint64_t lock_mark(std::uint32_t window, int target) {
  return fingerprint_of(window + 1, static_cast<std::uint64_t>(target) + 2).low;
}

}  // namespace

// `target`: negative: those of all ranks.
template <typename Visit>
void Epochs::for_each_lock(std::uint32_t window, int target, Visit visit) {
  std::vector<WindowLock>& locks = world_.windows[window].locks;
  if (target >= 0) {
    visit(target, locks[static_cast<std::size_t>(target)]);
    return;
  }
  for (std::size_t rank = 0; rank < locks.size(); ++rank)
    visit(static_cast<int>(rank), locks[rank]);
}

// --- locks that may be granted late --------------------------------------------------------------

// Somebody who had the lock before has met others before it was certain that it had it. Unless the
// rank knows that it is over, it could have been first.
void Epochs::look_for_late(const WindowLock& lock, int target, bool alone) {
  for (const Hold& hold : lock.holds) {
    if (!hold.met_others || hold.process == self().id || !(alone || hold.alone)) continue;
    if (self().knowledge.now[index(hold.process)] >= hold.given_back) continue;
    learned_.grounds.unexplored =
        rank_words(hold.rank) + " meets other ranks while it has the lock of " +
        rank_words(target) + ", which MPI may grant as late as at a flush or the unlock";
  }
}

void Epochs::use_lock(std::uint32_t window, int target) {
  const int own_rank = rank_in(communicator(world_.windows[window].key), self().rank);
  for (Hold& hold : world_.windows[window].locks[static_cast<std::size_t>(target)].holds) {
    if (hold.rank == own_rank && hold.given_back == 0) hold.used = true;
  }
}

// Operations on the target are complete; if there were any, it was locked.
void Epochs::make_certain(std::uint32_t window, int target) {
  const int own_rank = rank_in(communicator(world_.windows[window].key), self().rank);
  for (Hold& hold : world_.windows[window].locks[static_cast<std::size_t>(target)].holds) {
    if (hold.rank == own_rank && hold.given_back == 0 && hold.used) hold.certain = true;
  }
}

// --- locks ---------------------------------------------------------------------------------------

std::string Epochs::lock_words(const char* call, std::uint64_t handle, int target) const {
  const Window& window = windows_.of(handle);
  std::string words = std::string(call) + (target < 0 ? "" : " of " + rank_words(target));
  for (int rank = 0; rank < static_cast<int>(window.locks.size()); ++rank) {
    const WindowLock& lock = window.locks[static_cast<std::size_t>(rank)];
    if (target >= 0 && rank != target) continue;
    const int holder = lock.owner >= 0 ? lock.owner : lock.sharers.empty() ? -1 : lock.sharers[0];
    if (holder >= 0) words += ": " + rank_words(holder) + " has the lock of " + rank_words(rank);
  }
  return words;
}

bool Epochs::can_lock(const LockWaiter& waiter) const {
  const std::vector<WindowLock>& locks = world_.windows[waiter.window].locks;
  if (waiter.target >= 0)
    return locks[static_cast<std::size_t>(waiter.target)].allows(waiter.alone);
  return std::all_of(locks.begin(), locks.end(),
                     [](const WindowLock& one) { return one.allows(false); });
}

void Epochs::let_waiters_try() {
  for (const LockWaiter& waiter : world_.lock_waiters) {
    run().enable(waiter.process, can_lock(waiter));
  }
}

void Epochs::take_locks(const char* call, std::uint64_t handle, int target, bool alone) {
  const std::uint32_t number = windows_.held(handle).window;
  const LockWaiter waiter{self().id, number, target, alone};
  const std::uint8_t mode = alone ? lock_mode::alone : lock_mode::share;
  scratch_.clear();
  for_each_lock(number, target, [&](int, const WindowLock& lock) {
    scratch_.push_back(access(lock.object, Kind::lock, mode));
  });
  if (recording()) note_words("waits in " + lock_words(call, handle, target));
  note_time(true);
  world_.lock_waiters.push_back(waiter);
  park({scratch_, no_process, false}, can_lock(waiter));
  std::erase_if(world_.lock_waiters,
                [&](const LockWaiter& one) { return one.process == waiter.process; });
  commit_locks(call, number, target);
  self().watch.take_lock(lock_mark(number, target));
  const int own_rank = windows_.rank(handle);
  for_each_lock(number, target, [&](int rank, WindowLock& lock) {
    MAZURKA_CHECK(lock.allows(alone), "a lock is taken that is free for it");
    look_for_late(lock, rank, alone);
    self().knowledge.now.join(lock.given_back_alone);
    if (alone) {
      self().knowledge.now.join(lock.given_back_shared);
      lock.owner = own_rank;
    } else {
      lock.sharers.push_back(own_rank);
    }
    Hold hold;
    hold.rank = own_rank;
    hold.process = self().id;
    hold.alone = alone;
    hold.certain = rank == own_rank;  // its own memory it may touch at once
    lock.holds.push_back(hold);
    world_.versions[lock.object] = lock.value();
  });
  let_waiters_try();
}

// The step; what guards see of the locks is what they were before.
void Epochs::commit_locks(const char* call, std::uint32_t window, int target) {
  if (recording())
    record_words(std::string(call) + (target < 0 ? "" : " of " + rank_words(target)));
  values_.clear();
  for_each_lock(window, target,
                [&](int, const WindowLock& lock) { values_.push_back(lock.value()); });
  state_.quiet = true;
  commit(values_);
}

void Epochs::give_back_locks(const char* call, std::uint64_t handle, int target) {
  const std::uint32_t number = windows_.held(handle).window;
  scratch_.clear();
  for_each_lock(number, target, [&](int, const WindowLock& lock) {
    scratch_.push_back(access(lock.object, Kind::lock,
                              lock.owner >= 0 ? lock_mode::give_back : lock_mode::give_back_share));
  });
  if (recording()) note_words(call);
  meet_others(number, target);
  park({scratch_, no_process, false}, true);
  commit_locks(call, number, target);
  self().watch.give_back_lock(lock_mark(number, target));
  const int own_rank = windows_.rank(handle);
  for_each_lock(number, target, [&](int, WindowLock& lock) {
    MAZURKA_CHECK(lock.owner == own_rank || std::find(lock.sharers.begin(), lock.sharers.end(),
                                                      own_rank) != lock.sharers.end(),
                  "a lock is given back by who has it");
    if (lock.owner == own_rank) {
      lock.owner = -1;
      lock.given_back_alone.join(self().knowledge.now);
    } else {
      std::erase(lock.sharers, own_rank);
      lock.given_back_shared.join(self().knowledge.now);
    }
    for (Hold& hold : lock.holds) {
      if (hold.rank == own_rank && hold.given_back == 0)
        hold.given_back = self().knowledge.now[index(self().id)];
    }
    std::erase_if(lock.holds,
                  [](const Hold& hold) { return hold.given_back != 0 && !hold.met_others; });
    world_.versions[lock.object] = lock.value();
  });
  self().knowledge.now.tick(self().id);
  let_waiters_try();
  windows_.tidy_log();
}

int Epochs::lock(const char* call, std::uint64_t handle, int target, bool alone, bool unchecked) {
  const WindowHandle& window = windows_.held(handle);
  const auto place = static_cast<std::size_t>(target);
  int code =
      checks_.check(call, handle)
          .that(!window.started, error::synchronization, "the epoch of MPI_Win_start is not ended")
          .that(!window.all_locked, error::synchronization, "all ranks are locked already")
          .that(window.held[place] == Held::nothing, error::synchronization,
                rank_words(target) + " is locked already")
          .failed();
  if (code == 0 && window.fenced) {
    code = check_nothing_pending(call, handle, " is not complete: a fence is missing");
  }
  if (code != 0) return code;
  spins_.arrive(reinterpret_cast<std::uintptr_t>(call), lock_mark(window.window, target));
  if (!unchecked) take_locks(call, handle, target, alone);
  WindowHandle& same = windows_.held(handle);
  same.fenced = false;
  same.held[place] = unchecked ? Held::unchecked : alone ? Held::alone : Held::shared;
  same.epoch_stack = stack_if_recording();
  return 0;
}

int Epochs::unlock(const char* call, std::uint64_t handle, int target) {
  const auto place = static_cast<std::size_t>(target);
  const Held held = windows_.held(handle).held[place];
  const int code = checks_.check(call, handle)
                       .that(held != Held::nothing, error::synchronization,
                             rank_words(target) + " was not locked")
                       .that(!windows_.held(handle).all_locked, error::synchronization,
                             "all ranks were locked together, by MPI_Win_lock_all")
                       .failed();
  if (code != 0) return code;
  end_operations(call, handle, target, false);
  if (held != Held::unchecked) give_back_locks(call, handle, target);
  windows_.held(handle).held[place] = Held::nothing;
  return 0;
}

int Epochs::lock_all(const char* call, std::uint64_t handle, bool unchecked) {
  int code = check_no_other(call, handle);
  const WindowHandle& window = windows_.held(handle);
  if (code == 0 && window.fenced) {
    code = check_nothing_pending(call, handle, " is not complete: a fence is missing");
  }
  if (code != 0) return code;
  spins_.arrive(reinterpret_cast<std::uintptr_t>(call), lock_mark(window.window, -1));
  if (!unchecked) take_locks(call, handle, -1, false);
  WindowHandle& same = windows_.held(handle);
  same.fenced = false;
  same.all_locked = true;
  same.held.assign(same.held.size(), unchecked ? Held::unchecked : Held::shared);
  same.epoch_stack = stack_if_recording();
  return 0;
}

int Epochs::unlock_all(const char* call, std::uint64_t handle) {
  const int code = checks_.check(call, handle)
                       .that(windows_.held(handle).all_locked, error::synchronization,
                             "there was no MPI_Win_lock_all before")
                       .failed();
  if (code != 0) return code;
  end_operations(call, handle, -1, false);
  if (windows_.held(handle).held.front() == Held::shared) give_back_locks(call, handle, -1);
  WindowHandle& window = windows_.held(handle);
  window.all_locked = false;
  window.held.assign(window.held.size(), Held::nothing);
  return 0;
}

}  // namespace mazurka::mpi

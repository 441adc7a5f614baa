// Locks of windows.
#include <algorithm>

#include "programs/mpi/runtime/epochs.hpp"
#include "programs/threads/runtime/loops/spin_recognition.hpp"

namespace mazurka::mpi {

namespace {

/// Names what a process holds while it goes round in a loop.
std::uint64_t lock_mark(std::uint32_t window, int target) {
  return fingerprint_of(window + 1, static_cast<std::uint64_t>(target) + 2).low;
}

}  // namespace

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
  scratch_.clear();
  const std::vector<WindowLock>& locks = world_.windows[number].locks;
  const std::uint8_t mode = alone ? lock_mode::alone : lock_mode::share;
  for (std::size_t rank = 0; rank < locks.size(); ++rank) {
    if (target >= 0 && rank != static_cast<std::size_t>(target)) continue;
    scratch_.push_back(access(locks[rank].object, Kind::lock, mode));
  }
  if (recording()) note_words("waits in " + lock_words(call, handle, target));
  world_.lock_waiters.push_back(waiter);
  park({scratch_, no_process, false}, can_lock(waiter));
  std::erase_if(world_.lock_waiters,
                [&](const LockWaiter& one) { return one.process == waiter.process; });
  if (recording())
    record_words(std::string(call) + (target < 0 ? "" : " of " + rank_words(target)));
  const int own_rank = windows_.rank(handle);
  values_.clear();
  for (std::size_t rank = 0; rank < world_.windows[number].locks.size(); ++rank) {
    if (target >= 0 && rank != static_cast<std::size_t>(target)) continue;
    values_.push_back(world_.windows[number].locks[rank].value());
  }
  state_.quiet = true;
  commit(values_);
  self().watch.take_lock(lock_mark(number, target));
  for (std::size_t rank = 0; rank < world_.windows[number].locks.size(); ++rank) {
    if (target >= 0 && rank != static_cast<std::size_t>(target)) continue;
    WindowLock& lock = world_.windows[number].locks[rank];
    self().knowledge.now.join(lock.given_back_alone);
    if (alone) {
      self().knowledge.now.join(lock.given_back_shared);
      lock.owner = own_rank;
    } else {
      lock.sharers.push_back(own_rank);
    }
    world_.versions[lock.object] = lock.value();
  }
  let_waiters_try();
}

void Epochs::give_back_locks(const char* call, std::uint64_t handle, int target) {
  const std::uint32_t number = windows_.held(handle).window;
  scratch_.clear();
  for (std::size_t rank = 0; rank < world_.windows[number].locks.size(); ++rank) {
    if (target >= 0 && rank != static_cast<std::size_t>(target)) continue;
    const WindowLock& lock = world_.windows[number].locks[rank];
    scratch_.push_back(access(lock.object, Kind::lock,
                              lock.owner >= 0 ? lock_mode::give_back : lock_mode::give_back_share));
  }
  if (recording()) note_words(call);
  park({scratch_, no_process, false}, true);
  if (recording())
    record_words(std::string(call) + (target < 0 ? "" : " of " + rank_words(target)));
  const int own_rank = windows_.rank(handle);
  values_.clear();
  for (std::size_t rank = 0; rank < world_.windows[number].locks.size(); ++rank) {
    if (target >= 0 && rank != static_cast<std::size_t>(target)) continue;
    values_.push_back(world_.windows[number].locks[rank].value());
  }
  state_.quiet = true;
  commit(values_);
  self().watch.give_back_lock(lock_mark(number, target));
  for (std::size_t rank = 0; rank < world_.windows[number].locks.size(); ++rank) {
    if (target >= 0 && rank != static_cast<std::size_t>(target)) continue;
    WindowLock& lock = world_.windows[number].locks[rank];
    if (lock.owner == own_rank) {
      lock.owner = -1;
      lock.given_back_alone.join(self().knowledge.now);
    } else {
      std::erase(lock.sharers, own_rank);
      lock.given_back_shared.join(self().knowledge.now);
    }
    world_.versions[lock.object] = lock.value();
  }
  self().knowledge.now.tick(self().id);
  let_waiters_try();
  windows_.tidy_log();
}

int Epochs::lock(const char* call, std::uint64_t handle, int target, bool alone, bool unchecked) {
  const WindowHandle& window = windows_.held(handle);
  const auto place = static_cast<std::size_t>(target);
  if (window.started) checks_.misuse(call, "the epoch of MPI_Win_start is not ended");
  if (window.all_locked) checks_.misuse(call, "all ranks are locked already");
  if (window.held[place] != Held::nothing) {
    checks_.misuse(call, rank_words(target) + " is locked already");
  }
  const WindowAccess* pending = world_.window_log.pending(self().rank, window.window);
  if (window.fenced && pending != nullptr) {
    checks_.misuse(call, std::string(pending->call) + " is not complete: a fence is missing");
  }
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
  if (held == Held::nothing) checks_.misuse(call, rank_words(target) + " was not locked");
  if (windows_.held(handle).all_locked) {
    checks_.misuse(call, "all ranks were locked together, by MPI_Win_lock_all");
  }
  end_operations(call, handle, target, false);
  if (held != Held::unchecked) give_back_locks(call, handle, target);
  windows_.held(handle).held[place] = Held::nothing;
  return 0;
}

int Epochs::lock_all(const char* call, std::uint64_t handle, bool unchecked) {
  require_no_other(call, handle);
  const WindowHandle& window = windows_.held(handle);
  const WindowAccess* pending = world_.window_log.pending(self().rank, window.window);
  if (window.fenced && pending != nullptr) {
    checks_.misuse(call, std::string(pending->call) + " is not complete: a fence is missing");
  }
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
  if (!windows_.held(handle).all_locked) {
    checks_.misuse(call, "there was no MPI_Win_lock_all before");
  }
  end_operations(call, handle, -1, false);
  if (windows_.held(handle).held.front() == Held::shared) give_back_locks(call, handle, -1);
  WindowHandle& window = windows_.held(handle);
  window.all_locked = false;
  window.held.assign(window.held.size(), Held::nothing);
  return 0;
}

}  // namespace mazurka::mpi

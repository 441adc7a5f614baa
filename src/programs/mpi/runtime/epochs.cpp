// Fences, and epochs that both sides take part in. Locks are in window_locks.cpp.
#include "programs/mpi/runtime/epochs.hpp"

#include <algorithm>

#include "programs/mpi/runtime/handles.hpp"
#include "programs/threads/runtime/loops/spin_recognition.hpp"

namespace mazurka::mpi {

namespace {

constexpr int no_precede = 2048;   // MPI_MODE_NOPRECEDE
constexpr int no_succeed = 16384;  // MPI_MODE_NOSUCCEED

bool holds_a_lock(const WindowHandle& window) {
  return window.all_locked || std::any_of(window.held.begin(), window.held.end(),
                                          [](Held one) { return one != Held::nothing; });
}

}  // namespace

// --- what is allowed -----------------------------------------------------------------------------

int Epochs::check_access(const char* call, std::uint64_t handle, int target) {
  const WindowHandle& window = windows_.held(handle);
  if (window.all_locked || window.held[static_cast<std::size_t>(target)] != Held::nothing) return 0;
  Check check = checks_.check(call, handle);
  if (window.started) {
    const std::vector<int>& group = window.start_group;
    check.that(std::find(group.begin(), group.end(), target) != group.end(), error::synchronization,
               rank_words(target) + " is not in the group of MPI_Win_start");
    return check.failed();
  }
  check.that(!holds_a_lock(window), error::synchronization, rank_words(target) + " was not locked")
      .that(window.fenced, error::synchronization,
            "it is called outside of an epoch: there was no MPI_Win_fence, "
            "MPI_Win_start or MPI_Win_lock before");
  return check.failed();
}

int Epochs::check_lock(const char* call, std::uint64_t handle, int target) {
  const WindowHandle& window = windows_.held(handle);
  const bool locked =
      window.all_locked || window.held[static_cast<std::size_t>(target)] != Held::nothing;
  return checks_.check(call, handle)
      .that(locked, error::synchronization,
            "operations with requests are for epochs of MPI_Win_lock and its relatives")
      .failed();
}

// Another epoch of the rank must not begin now.
int Epochs::check_no_other(const char* call, std::uint64_t handle) {
  const WindowHandle& window = windows_.held(handle);
  return checks_.check(call, handle)
      .that(!holds_a_lock(window), error::synchronization, "the rank has locks of the window")
      .that(!window.started, error::synchronization, "the epoch of MPI_Win_start is not ended")
      .failed();
}

int Epochs::check_nothing_pending(const char* call, std::uint64_t handle, const std::string& why) {
  const WindowAccess* pending =
      world_.window_log.pending(self().rank, windows_.held(handle).window);
  if (pending == nullptr) return 0;
  return checks_.check(call, handle)
      .that(false, error::synchronization, std::string(pending->call) + why)
      .failed();
}

int Epochs::check_posted(const char* call, std::uint64_t handle) {
  return checks_.check(call, handle)
      .that(windows_.held(handle).posted, error::synchronization,
            "there was no MPI_Win_post before")
      .failed();
}

// --- operations come to their ends ---------------------------------------------------------------

void Epochs::end_operations(const char* call, std::uint64_t handle, int target, bool locally) {
  const std::uint32_t number = windows_.held(handle).window;
  const Awaits what = locally ? Awaits::results : Awaits::updates;
  const bool any =
      std::any_of(world_.updates.begin(), world_.updates.end(), [&](const Update& one) {
        return !one.settled && one.rank == self().rank && one.window == number &&
               (target < 0 || one.target == target) && (!locally || one.result != nullptr);
      });
  if (any) waits_.wait(call, handle, what, target);
  const CommunicatorKey key = world_.windows[number].key;
  List<Request>& all = own().requests;
  for (std::uint32_t nth = 0; nth < all.size(); ++nth) {
    const Request& one = all[nth];
    if (one.kind != RequestKind::window || one.communicator != key) continue;
    if (target >= 0 && one.peer != target) continue;
    const RequestRef ref{self().rank, nth};
    if (one.internal) {
      (void)completion_.finish(ref);
    } else if (one.active && one.complete && !one.nothing && !one.told) {
      (void)completion_.finish_but_keep(ref);
    }
  }
  if (locally) return;
  const std::uint32_t tick = self().knowledge.now[index(self().id)];
  const auto size = static_cast<int>(world_.windows[number].parts.size());
  for (int rank = std::max(target, 0); rank < (target < 0 ? size : target + 1); ++rank) {
    world_.window_log.complete(self().rank, number, rank, tick);
    make_certain(number, rank);
    updates_.settle(number, rank);
  }
}

int Epochs::flush(const char* call, std::uint64_t handle, int target, bool locally) {
  const WindowHandle& window = windows_.held(handle);
  const bool locked = window.all_locked ||
                      (target < 0 ? holds_a_lock(window)
                                  : window.held[static_cast<std::size_t>(target)] != Held::nothing);
  const int code = checks_.check(call, handle)
                       .that(locked, error::synchronization,
                             target < 0 ? "the rank has no lock of the window"
                                        : rank_words(target) + " was not locked")
                       .failed();
  if (code != 0) return code;
  end_operations(call, handle, target, locally);
  return 0;
}

int Epochs::fence(const char* call, std::uint64_t handle, int assertion) {
  int code = check_no_other(call, handle);
  if (code == 0) {
    code = checks_.check(call, handle)
               .that(!windows_.held(handle).posted, error::synchronization,
                     "the epoch of MPI_Win_post is not ended")
               .failed();
  }
  if (code == 0 && (assertion & no_precede) != 0) {
    code = check_nothing_pending(call, handle, " precedes it, in spite of MPI_MODE_NOPRECEDE");
  }
  if (code != 0) return code;
  end_operations(call, handle, -1, false);
  communicators_.meet(call, windows_.held(handle).communicator);
  windows_.held(handle).fenced = (assertion & no_succeed) == 0;
  windows_.held(handle).epoch_stack = stack_if_recording();
  windows_.tidy_log();
  return 0;
}

// --- start and complete, post and wait -----------------------------------------------------------

std::vector<int> Epochs::ranks_of(std::uint64_t handle, const std::vector<int>& group) {
  const Communicator& all = communicator(windows_.of(handle).key);
  std::vector<int> ranks;
  for (const int member : group) ranks.push_back(rank_in(all, member));
  return ranks;
}

int Epochs::check_group(const char* call, std::uint64_t handle, const std::vector<int>& group) {
  const Communicator& all = communicator(windows_.of(handle).key);
  const bool inside = std::all_of(group.begin(), group.end(),
                                  [&](int member) { return rank_in(all, member) >= 0; });
  return checks_.check(call, handle)
      .that(inside, error::group, "the group has ranks that the window has not")
      .failed();
}

int Epochs::start(const char* call, std::uint64_t handle, const std::vector<int>& group) {
  int code = check_no_other(call, handle);
  if (code == 0) code = check_group(call, handle, group);
  if (code != 0) return code;
  windows_.held(handle).start_group = ranks_of(handle, group);
  waits_.wait(call, handle, Awaits::exposures, -1);
  WindowHandle& window = windows_.held(handle);
  window.started = true;
  window.started_early = false;
  window.fenced = false;
  window.epoch_stack = stack_if_recording();
  const int rank = windows_.rank(handle);
  const VectorClock before = self().knowledge.now;
  for (const int target : window.start_group) {
    Exposure& exposure = *EpochWaits::open_for(world_.windows[window.window], target, rank);
    const auto place = std::find(exposure.group.begin(), exposure.group.end(), rank);
    exposure.started[static_cast<std::size_t>(place - exposure.group.begin())] = true;
    if (!exposure.knowledge.is_known_to(before, before)) window.started_early = true;
    self().knowledge.now.join(exposure.knowledge);
  }
  return 0;
}

int Epochs::complete(const char* call, std::uint64_t handle) {
  const int code = checks_.check(call, handle)
                       .that(windows_.held(handle).started, error::synchronization,
                             "there was no MPI_Win_start before")
                       .failed();
  if (code != 0) return code;
  end_operations(call, handle, -1, true);
  windows_.held(handle).started_early = false;
  meet_others();
  const WindowHandle& window = windows_.held(handle);
  scratch_.clear();
  for (const int target : window.start_group) {
    const Exposure& exposure = EpochWaits::current(world_.windows[window.window], target);
    scratch_.push_back(access(exposure.object, Kind::cell, cell_mode::signal));
  }
  if (recording()) note_words(call);
  park({scratch_, no_process, false}, true);
  if (recording()) record_words(call);
  const auto event = static_cast<std::uint32_t>(run().position());
  commit();
  WindowHandle& same = windows_.held(handle);
  const int rank = windows_.rank(handle);
  for (const int target : same.start_group) {
    Exposure& exposure = EpochWaits::current(world_.windows[same.window], target);
    const auto place = std::find(exposure.group.begin(), exposure.group.end(), rank);
    exposure.gone[static_cast<std::size_t>(place - exposure.group.begin())] = event;
    exposure.brought.join(self().knowledge.now);
    changed(exposure.object);
  }
  self().knowledge.now.tick(self().id);
  world_.window_log.leave(self().rank, same.window);
  same.started = false;
  same.start_group.clear();
  waits_.look_again();
  return 0;
}

int Epochs::post(const char* call, std::uint64_t handle, const std::vector<int>& group) {
  int code = checks_.check(call, handle)
                 .that(!windows_.held(handle).posted, error::synchronization,
                       "the epoch before is not ended")
                 .failed();
  if (code == 0) code = check_group(call, handle, group);
  if (code != 0) return code;
  if (recording()) note_words(call);
  {
    Window& window = windows_.of(handle);
    std::vector<Exposure>& all = window.exposures[static_cast<std::size_t>(windows_.rank(handle))];
    Exposure fresh;
    fresh.group = ranks_of(handle, group);
    fresh.started.assign(fresh.group.size(), true);  // not before the step is taken
    fresh.gone.assign(fresh.group.size(), no_event);
    fresh.object = object(Kind::cell, window.key, static_cast<std::uint64_t>(windows_.rank(handle)),
                          (std::uint64_t{1} << 32U) + all.size());
    all.push_back(std::move(fresh));
  }
  meet_others();
  park({}, true);
  if (recording()) record_words(call);
  const auto event = static_cast<std::uint32_t>(run().position());
  commit();
  Exposure& exposure = EpochWaits::current(windows_.of(handle), windows_.rank(handle));
  exposure.event = event;
  exposure.started.assign(exposure.group.size(), false);
  exposure.knowledge.assign(self().knowledge.now);
  self().knowledge.now.tick(self().id);
  windows_.held(handle).posted = true;
  windows_.held(handle).fenced = false;
  waits_.look_again();
  return 0;
}

// What others have done to the rank's memory is done.
void Epochs::end_exposure(std::uint64_t handle) {
  WindowHandle& window = windows_.held(handle);
  const int rank = windows_.rank(handle);
  Exposure& exposure = EpochWaits::current(world_.windows[window.window], rank);
  self().knowledge.now.join(exposure.brought);
  const Communicator& all = communicator(world_.windows[window.window].key);
  for (const int origin : exposure.group) {
    world_.window_log.hand_over(all.members[static_cast<std::size_t>(origin)], window.window, rank,
                                self().id, self().knowledge.now[index(self().id)]);
  }
  exposure.over = true;
  window.posted = false;
  windows_.tidy_log();
}

int Epochs::wait(const char* call, std::uint64_t handle) {
  if (const int code = check_posted(call, handle); code != 0) return code;
  waits_.wait(call, handle, Awaits::departures, -1);
  end_exposure(handle);
  return 0;
}

int Epochs::test(const char* call, std::uint64_t handle, bool* done) {
  if (const int code = check_posted(call, handle); code != 0) return code;
  const std::uint32_t number = windows_.held(handle).window;
  const int rank = windows_.rank(handle);
  const Exposure& exposure = EpochWaits::current(world_.windows[number], rank);
  scratch_.clear();
  scratch_.push_back(access(exposure.object, Kind::cell, cell_mode::test));
  for (std::uint64_t place = 0; place < updates_.objects_of_part; ++place) {
    const ObjectId cell = updates_.cell(number, rank, place);
    scratch_.push_back(access(cell, Kind::cell, cell_mode::test));
  }
  spins_.arrive(reinterpret_cast<std::uintptr_t>(call), index(exposure.object));
  if (recording()) note_words(call);
  park({scratch_, no_process, false}, true);
  {
    std::vector<std::uint32_t> causes;
    *done = waits_.is_there(self().rank, number, Awaits::departures, -1, causes);
  }
  if (recording()) record_words(std::string(call) + (*done ? ": complete" : ": not yet"));
  state_.quiet = !*done;
  commit();
  if (!*done) {
    const Exposure& same = EpochWaits::current(world_.windows[number], rank);
    spins_.watch_object(same.object);
  }
  tell(*done ? 1 : 0);
  if (*done) end_exposure(handle);
  return 0;
}

}  // namespace mazurka::mpi

#include "programs/mpi/runtime/epoch_waits.hpp"

#include <algorithm>
#include <string>

#include "core/check.hpp"

namespace mazurka::mpi {

namespace {

std::size_t place_of(const std::vector<int>& group, int rank) {
  return static_cast<std::size_t>(std::find(group.begin(), group.end(), rank) - group.begin());
}

}  // namespace

Exposure* EpochWaits::open_for(Window& window, int target, int rank) {
  std::vector<Exposure>& all = window.exposures[static_cast<std::size_t>(target)];
  if (all.empty() || all.back().over) return nullptr;
  const std::size_t place = place_of(all.back().group, rank);
  if (place == all.back().group.size() || all.back().started[place]) return nullptr;
  return &all.back();
}

const WindowHandle& EpochWaits::handle_of(std::int32_t rank, std::uint32_t window) const {
  const List<WindowHandle>& all = world_.ranks[static_cast<std::size_t>(rank)].windows;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const WindowHandle& one) { return one.window == window; });
  MAZURKA_CHECK(found != all.end(), "a rank that waits in a window has a handle of it");
  return *found;
}

bool EpochWaits::all_exposed(const Window& window, const std::vector<int>& group, int rank,
                             std::vector<std::uint32_t>& causes) const {
  return std::all_of(group.begin(), group.end(), [&](int target) {
    const Exposure* exposure = open_for(const_cast<Window&>(window), target, rank);
    if (exposure != nullptr) causes.push_back(exposure->event);
    return exposure != nullptr;
  });
}

bool EpochWaits::all_gone(const Window& window, int rank,
                          std::vector<std::uint32_t>& causes) const {
  MAZURKA_CHECK(!window.exposures[static_cast<std::size_t>(rank)].empty(),
                "who waits for departures was posted");
  const Exposure& exposure = window.exposures[static_cast<std::size_t>(rank)].back();
  const auto is_gone = [](std::uint32_t event) { return event != no_event; };
  if (!std::all_of(exposure.gone.begin(), exposure.gone.end(), is_gone)) return false;
  causes.insert(causes.end(), exposure.gone.begin(), exposure.gone.end());
  for (const Update& update : world_.updates) {
    if (&world_.windows[update.window] != &window || update.target != rank) continue;
    if (update.performed == no_event) return false;
    if (!update.settled) causes.push_back(update.performed);
  }
  return true;
}

bool EpochWaits::is_there(std::int32_t rank, std::uint32_t number, Awaits what, int target,
                          std::vector<std::uint32_t>& causes) const {
  const Window& window = world_.windows[number];
  const int own_rank = rank_in(communicator(window.key), rank);
  causes.clear();
  switch (what) {
    case Awaits::nothing: return true;
    case Awaits::exposures:
      return all_exposed(window, handle_of(rank, number).start_group, own_rank, causes);
    case Awaits::departures: return all_gone(window, own_rank, causes);
    case Awaits::updates:
    case Awaits::results: break;
  }
  for (const Update& update : world_.updates) {
    if (update.settled || update.rank != rank || update.window != number) continue;
    if (target >= 0 && update.target != target) continue;
    if (what == Awaits::results && update.result == nullptr) continue;
    if (update.performed == no_event) return false;
    causes.push_back(update.performed);
  }
  return true;
}

std::string EpochWaits::words(std::uint64_t handle, Awaits what) const {
  Window& window = windows_.of(handle);
  const int rank = windows_.rank(handle);
  std::string missing;
  const auto add = [&](int other) {
    missing += (missing.empty() ? "rank " : ", rank ") + std::to_string(other);
  };
  if (what == Awaits::exposures) {
    for (const int target : windows_.held(handle).start_group) {
      if (open_for(window, target, rank) == nullptr) add(target);
    }
    return missing + " to call MPI_Win_post";
  }
  if (what != Awaits::departures) return "its own operations";
  const Exposure& exposure = current(window, rank);
  for (std::size_t place = 0; place < exposure.group.size(); ++place) {
    if (exposure.gone[place] == no_event) add(exposure.group[place]);
  }
  return missing + " to call MPI_Win_complete";
}

void EpochWaits::wait(const char* call, std::uint64_t handle, Awaits what, int target) {
  const RequestRef ref = requests_.add();
  Request& request = at(ref);
  request.kind = RequestKind::window;
  request.internal = true;
  request.call = call;
  request.communicator = windows_.of(handle).key;
  request.collective = windows_.held(handle).window;
  request.peer = target;
  request.awaits = what;
  request.active = true;
  if (recording()) request.awaits_in_words = words(handle, what);
  ++own().owned;
  look_again();
  (void)requests_.finish_now(ref, call);
}

void EpochWaits::look_again() {
  std::vector<std::uint32_t> causes;
  for (std::size_t rank = 0; rank < world_.ranks.size(); ++rank) {
    const List<Request>& all = world_.ranks[rank].requests;
    for (std::size_t number = 0; number < all.size(); ++number) {
      const Request& one = all[number];
      if (one.kind != RequestKind::window || one.awaits == Awaits::nothing || one.complete) {
        continue;
      }
      const auto owner = static_cast<std::int32_t>(rank);
      if (!is_there(owner, one.collective, one.awaits, one.peer, causes)) continue;
      completion_.complete({owner, static_cast<std::uint32_t>(number)}, causes);
    }
  }
}

void EpochWaits::look_again(const Update& performed) {
  const RequestRef ref = performed.request;
  const std::uint32_t event = performed.performed;
  if (ref.any() && !at(ref).complete) completion_.complete(ref, {&event, 1});
  look_again();
}

}  // namespace mazurka::mpi

#include "programs/mpi/world.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::mpi {

namespace {

bool overlaps(const void* buffer, const Datatype& layout, std::uint64_t count,
              std::uintptr_t address, std::size_t size) {
  bool found = false;
  for_each_piece(layout, count, [&](std::int64_t offset, std::size_t bytes) {
    const std::uintptr_t begin =
        reinterpret_cast<std::uintptr_t>(buffer) + static_cast<std::uintptr_t>(offset);
    found = found || (begin < address + size && address < begin + bytes);
  });
  return found;
}

bool any_overlaps(const std::vector<Place>& places, std::uintptr_t address, std::size_t size) {
  return std::any_of(places.begin(), places.end(), [&](const Place& one) {
    return one.buffer != nullptr && overlaps(one.buffer, one.layout, one.count, address, size);
  });
}

}  // namespace

bool World::owns(const Request& request, std::int32_t rank, std::uintptr_t address,
                 std::size_t size, bool write) const {
  if (request.nothing || request.told) return false;
  switch (request.kind) {
    case RequestKind::none: return false;
    case RequestKind::send:
      return write && overlaps(request.buffer, request.layout, request.count, address, size);
    case RequestKind::window:
      return (write || request.fills) &&
             overlaps(request.buffer, request.layout, request.count, address, size);
    case RequestKind::receive:
      return overlaps(request.buffer, request.layout, request.count, address, size);
    case RequestKind::collective: break;
  }
  const Collective& one = collectives[request.collective];
  const auto group =
      std::find_if(communicators.begin(), communicators.end(),
                   [&](const Communicator& known) { return known.key == one.communicator; });
  MAZURKA_CHECK(group != communicators.end(), "a collective operation is one of a communicator");
  const auto place = std::find(group->members.begin(), group->members.end(), rank);
  MAZURKA_CHECK(place != group->members.end(), "a rank takes part in operations of its groups");
  const Arrival& own = one.arrivals[static_cast<std::size_t>(place - group->members.begin())];
  if (!own.here || own.left) return false;
  return any_overlaps(own.places, address, size) ||
         (write && any_overlaps(own.sources, address, size));
}

std::string World::use_of(std::int32_t rank, std::uintptr_t address, std::size_t size) const {
  const Rank& own = ranks[static_cast<std::size_t>(rank)];
  if (own.phase != Phase::during) return {};
  for (const Request& one : own.requests) {
    if (own.owned == 0) break;
    if (!one.active || !owns(one, rank, address, size, true)) continue;
    return std::string("the buffer of ") + one.call + ", which is not complete";
  }
  const auto attached = reinterpret_cast<std::uintptr_t>(own.buffer);
  const bool is_there = attached < address + size && address < attached + own.buffer_size;
  if (is_there && std::any_of(payloads.begin(), payloads.end(),
                              [&](const Payload& one) { return one.buffered_by == rank; })) {
    return "the buffer of MPI_Buffer_attach, which was not detached";
  }
  for (const Exposed& one : own.exposed) {
    // What is attached to a window is told to it by its address, and may be gone.
    if (windows[one.window].made == flavor::dynamic) continue;
    if (one.piece.begin < address + size && address < one.piece.end) {
      return "memory of a window, which was not freed";
    }
  }
  return {};
}

bool World::is_for_updates(const Waiting& asked_for) const {
  const auto is_for_them = [&](RequestRef ref) {
    const Request& one = ranks[static_cast<std::size_t>(ref.rank)].requests[ref.number];
    return one.awaits == Awaits::updates || one.awaits == Awaits::results;
  };
  return !asked_for.requests.empty() &&
         std::all_of(asked_for.requests.begin(), asked_for.requests.end(), is_for_them);
}

// What was read is there, so it was read. What was written may still be on its way.
void World::finish_access(const Request& request, ProcessId process, VectorClock& knowledge) {
  if (request.fills) window_log.complete(request.access, knowledge[index(process)]);
  if (request.update != no_event && request.fills) knowledge.join(updates[request.update].learned);
}

}  // namespace mazurka::mpi

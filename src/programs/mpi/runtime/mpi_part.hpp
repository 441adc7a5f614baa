// What every part of MPI's runtime has: the world, the rank that calls, names of objects, and how
// memory of the program is told about.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "programs/mpi/vocabulary.hpp"
#include "programs/mpi/world.hpp"
#include "programs/threads/runtime/memory_model/accesses.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::mpi {

using host::RawEvent;
using threads::Accesses;
using threads::EngineScope;
using threads::Process;
using threads::Scheduler;

class MpiPart : public threads::Part {
 protected:
  struct Context {
    Scheduler& scheduler;
    Accesses& accesses;
    std::uint8_t first_kind;
  };
  explicit MpiPart(const Context& context)
      : Part(context.scheduler),
        context_(context),
        world_(context.scheduler.state().mpi),
        accesses_(context.accesses),
        first_kind_(context.first_kind) {}

  [[nodiscard]] Rank& own() const { return world_.ranks[static_cast<std::size_t>(self().rank)]; }
  [[nodiscard]] Request& at(RequestRef ref) const {
    return world_.ranks[static_cast<std::size_t>(ref.rank)].requests[ref.number];
  }
  /// The communicator of that key; there is one.
  [[nodiscard]] const Communicator& communicator(CommunicatorKey key) const {
    for (const Communicator& one : world_.communicators) {
      if (one.key == key) return one;
    }
    return world_.communicators.front();
  }
  /// What the rank has set for errors in the communicator; 0: they are fatal.
  [[nodiscard]] std::uint64_t error_handler_of(CommunicatorKey key) const;
  [[nodiscard]] static bool returns_to_program(std::uint64_t error_handler);
  [[nodiscard]] int rank_in(const Communicator& communicator, int world_rank) const {
    return communicator.place_of(world_rank);
  }

  [[nodiscard]] std::uint8_t number_of(Kind kind) const {
    return static_cast<std::uint8_t>(first_kind_ + static_cast<std::uint8_t>(kind));
  }
  [[nodiscard]] Access access(ObjectId object, Kind kind, std::uint8_t mode) const {
    return {object, number_of(kind), mode, 0};
  }
  /// An object that is named by numbers rather than by an address.
  [[nodiscard]] ObjectId object(Kind kind, std::uint64_t one, std::uint64_t two,
                                std::uint64_t three) {
    std::uint64_t name = fingerprint_of(one, two).low;
    name = fingerprint_of(name, three).high | 1U;
    return names_.object_for(name, number_of(kind));
  }
  [[nodiscard]] ObjectId object_of(const Channel& channel) {
    return object(Kind::channel, channel.communicator, static_cast<std::uint64_t>(channel.source),
                  static_cast<std::uint64_t>(channel.destination));
  }
  [[nodiscard]] ObjectId queue_of(CommunicatorKey communicator, int destination) {
    return object(Kind::queue, communicator, static_cast<std::uint64_t>(destination), 0);
  }
  /// What threads of the current rank do on the communicator one after the other.
  [[nodiscard]] ObjectId turns_of(CommunicatorKey communicator) {
    return object(Kind::queue, communicator, static_cast<std::uint64_t>(self().rank), 1);
  }
  /// What the rank does now depends on who comes first, or others may notice when it comes.
  void note_time(bool matters) {
    if (matters) learned_.grounds.time_matters = true;
    if (own().is_ahead) learned_.grounds.went_ahead = true;
  }
  /// Whether several threads of the rank may call MPI at the same time.
  [[nodiscard]] bool has_threads() const {
    constexpr int multiple = 4096;  // MPI_THREAD_MULTIPLE
    return own().level >= multiple;
  }
  void changed(ObjectId object) { ++world_.versions[object]; }

  /// The program's memory is about to be read or written on its behalf.
  void tell_access(const void* buffer, const Datatype& type, std::uint64_t count, bool write) {
    for_each_piece(type, count, [&](std::int64_t offset, std::size_t bytes) {
      accesses_.by_library(threads::address_of(buffer) + static_cast<std::uintptr_t>(offset), bytes,
                           write, threads_caller());
    });
  }
  /// Where the current process has called MPI.
  [[nodiscard]] const void* threads_caller() const {
    return reinterpret_cast<const void*>(world_.callers[self().id]);
  }

  /// The rank is about to do what others notice, or to notice what others do. It does not tell of
  /// its lock of this part of the window (negative: of any).
  void meet_others(std::uint32_t window = no_event, int target = -1);

  [[nodiscard]] bool recording() const { return recorder() != nullptr; }
  [[nodiscard]] std::vector<std::uint64_t> stack_if_recording() const;
  /// For the report: what the current process is about to do, in words.
  void note_words(std::string words) {
    note(host::Action::mpi, 0);
    self().words = std::move(words);
  }
  /// ... and what it did.
  void record_words(std::string words) {
    if (RawEvent* event = record(host::Action::mpi, 0)) event->words = std::move(words);
  }

  Context context_;
  World& world_;
  Accesses& accesses_;
  std::uint8_t first_kind_;
};

/// "rank 3", or "any rank".
[[nodiscard]] std::string rank_words(int rank);
/// ", tag 5", or nothing.
[[nodiscard]] std::string tag_words(int tag);

}  // namespace mazurka::mpi

// Communicators and groups, and what all ranks of a communicator do together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "programs/mpi/runtime/checks.hpp"
#include "programs/mpi/runtime/collectives.hpp"
#include "programs/mpi/runtime/mpi_part.hpp"
#include "programs/mpi/runtime/requests.hpp"

namespace mazurka::mpi {

class Communicators : public MpiPart {
 public:
  Communicators(const Context& context, Checks& checks, Collectives& collectives,
                Requests& requests)
      : MpiPart(context), checks_(checks), collectives_(collectives), requests_(requests) {}

  /// The current process has filled in a draft (Collectives::draft); blocks if there is no handle.
  int collective(const char* call, std::uint64_t communicator, std::uint64_t* handle);
  /// Keeps the draft for later, and starts it.
  void plan(const char* call, std::uint64_t communicator, std::uint64_t* handle);
  void start(RequestRef ref);
  /// The same for the n-th communicator of the rank's, whether or not the program has a handle of
  /// it.
  void meet(const char* call, std::uint32_t number);
  /// All ranks make something: each brings numbers. Returns what all have brought.
  const Collective& construct(const char* call, std::uint64_t communicator,
                              std::span<const std::int64_t> numbers);

  /// The same, with the members of a group as numbers.
  const Collective& construct_of(const char* call, std::uint64_t communicator, const Group& group);
  /// The same where only the members of a group take part.
  const Collective& construct_in_group(const char* call, std::uint64_t communicator,
                                       const Group& group, std::int64_t tag);
  /// The same for the n-th communicator of the rank's, with what it has drafted.
  const Collective& construct_at(const char* call, std::uint32_t number);
  /// The number of one for the members of the group alone, which no program sees.
  std::uint32_t hidden_number(std::uint64_t parent, const Group& group, std::int64_t tag);
  /// A copy, whose handle is there at once; it may be used when the request is complete.
  std::uint64_t begin_copy(const char* call, std::uint64_t communicator, std::uint64_t* request);

  /// The communicator of a handle that was checked.
  [[nodiscard]] const Communicator& of(std::uint64_t handle) const {
    return world_
        .communicators[own().communicators[checks_.number_of_communicator(handle)].communicator];
  }
  /// The current rank's place among all members there, and its number in its group.
  [[nodiscard]] int place(std::uint64_t handle) const { return rank_in(of(handle), self().rank); }
  [[nodiscard]] int rank(std::uint64_t handle) const { return of(handle).rank_at(place(handle)); }
  /// A new handle of the communicator for the current rank.
  std::uint64_t add(Communicator fresh);

  /// Null: there is none.
  [[nodiscard]] const Group* find_group(std::uint64_t handle) const;
  std::uint64_t add_group(std::vector<int> members);

 private:
  RequestRef describe(const char* call, std::uint32_t number);
  RequestRef begin(const char* call, std::uint32_t number);

  Checks& checks_;
  Collectives& collectives_;
  Requests& requests_;
};

/// Names the n-th that is made out of another; `part`: which of several that are made at once.
[[nodiscard]] CommunicatorKey key_of(const Collective& made, std::uint64_t part);

}  // namespace mazurka::mpi

// Collective operations: an arrival, and a request that is complete when those have arrived whose
// data is needed, or all.
//
// The n-th call of a rank on a communicator meets the n-th calls of the others. What they bring is
// compared when they arrive (is it the same operation?) and when it is used (are the types the
// same?). Reductions combine in the order of ranks, in the process that learns of its result.
#pragma once

#include <string>
#include <vector>

#include "programs/mpi/runtime/mpi_part.hpp"

namespace mazurka::mpi {

class Completion;

/// The root of those who are told only that it is not they, nor one of the others.
inline constexpr int no_root = -2;

/// Whether what is brought lies where something else goes to.
[[nodiscard]] bool overlaps_itself(const Arrival& arrival);
/// Whether something that is received goes where something else that is received goes to.
[[nodiscard]] bool receives_twice(const Arrival& arrival);

class Collectives : public MpiPart {
 public:
  Collectives(const Context& context, Completion& completion)
      : MpiPart(context), completion_(completion) {}

  /// What the current process is going to arrive with: fill it in, then arrive().
  [[nodiscard]] Arrival& draft() {
    Arrival& fresh = world_.drafts[self().id];
    fresh = {};
    return fresh;
  }
  /// The step; the request is complete, or will be.
  void arrive(RequestRef ref, std::uint32_t handle);
  /// Its rank learns that the operation is complete: data arrives.
  void finish(RequestRef ref);
  [[nodiscard]] std::string missing_in_words(std::uint32_t collective) const;
  /// What the ranks have brought.
  [[nodiscard]] const Collective& operator[](std::uint32_t number) const {
    return world_.collectives[number];
  }

 private:
  void take_turn(RequestRef ref);
  [[nodiscard]] std::uint32_t collective(CommunicatorKey communicator, std::uint32_t nth);
  [[nodiscard]] bool needs(const Collective& one, std::size_t rank, std::size_t other) const;
  [[nodiscard]] bool needs_data(const Collective& one, std::size_t rank, std::size_t other) const;
  void note_whether_ahead(const Collective& one, std::size_t rank);
  void complete_those_that_can(std::uint32_t number);
  void require_same(const Collective& one, std::size_t rank);
  void require_same_types(const Collective& one, std::size_t rank);
  void put(const Collective& one, std::size_t from, std::size_t part, std::size_t rank,
           std::size_t place);
  void deliver(const Collective& one, std::size_t rank);
  void deliver_from_neighbours(const Collective& one, std::size_t rank);
  void reduce(const Collective& one, std::size_t rank, std::size_t end, bool segment);
  [[nodiscard]] std::vector<std::byte> combined(const Collective& one, std::size_t rank,
                                                std::size_t end);
  void apply_user_op(const Arrival& own, const std::vector<std::byte>& in,
                     std::vector<std::byte>& inout);
  [[noreturn]] void mismatch(const Collective& one, std::size_t rank, std::size_t other,
                             const std::string& what);

  Completion& completion_;
};

}  // namespace mazurka::mpi

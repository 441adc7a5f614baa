// What a communicator is: its members, how they are arranged, and who is whose neighbour.
//
// A communicator between two groups has the members of both, one group after the other. Everything
// inside knows a member by its place among all of them; only the program counts in its own group,
// or in the other one, and is translated at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "programs/mpi/matching.hpp"

namespace mazurka::mpi {

enum class Arrangement : std::uint8_t { none, grid, graph, distributed };

/// Whom a rank of a graph hears, and who hears it.
struct Neighbours {
  std::vector<int> sources;
  std::vector<int> destinations;
  std::vector<int> source_weights;  // as many, or none
  std::vector<int> destination_weights;
  friend bool operator==(const Neighbours&, const Neighbours&) = default;
};

struct Communicator {
  CommunicatorKey key = 0;
  std::vector<int> members;  // ranks of MPI_COMM_WORLD
  std::string name;
  std::size_t first_group = 0;  // so many of the members; 0: there is only one group
  Arrangement arrangement = Arrangement::none;
  std::vector<int> dimensions;  // of a grid
  std::vector<int> periods;
  std::vector<Neighbours> graph;  // by rank
  friend bool operator==(const Communicator&, const Communicator&) = default;

  [[nodiscard]] bool is_between() const { return first_group > 0; }
  /// The place of a rank of MPI_COMM_WORLD, or -1.
  [[nodiscard]] int place_of(int world_rank) const;
  /// The number in its group of who is at the place.
  [[nodiscard]] int rank_at(int place) const;
  /// The place of whom the one at `place` knows by this rank: of the other group, if there is one.
  /// What is no rank stays what it is.
  [[nodiscard]] int place_of_peer(int place, int rank) const;
  /// The places of the group that this place belongs to; and of those whom it deals with.
  [[nodiscard]] std::vector<int> group_of(int place) const;
  [[nodiscard]] std::vector<int> partners_of(int place) const;
  /// Ranks of MPI_COMM_WORLD at these places.
  [[nodiscard]] std::vector<int> members_at(const std::vector<int>& places) const;
};

inline constexpr int outside = -32103;  // MPI_PROC_NULL

/// The coordinates of a rank of a grid: the last one changes fastest.
[[nodiscard]] std::vector<int> coordinates_of(const Communicator& grid, int rank);
/// `outside`: they are outside of the grid.
[[nodiscard]] int rank_at_coordinates(const Communicator& grid, std::vector<int> coordinates);

/// In the order of the standard. In a grid some may be outside.
[[nodiscard]] Neighbours neighbours_of(const Communicator& arranged, int rank);

/// What a neighbour brings: the part with this number of what the source sends.
struct Edge {
  int source = outside;
  int part = -1;
  friend bool operator==(const Edge&, const Edge&) = default;
};
/// The edge that ends at the rank as the n-th of its sources; its part is -1 if the source knows
/// nothing of it.
[[nodiscard]] Edge edge_to(const Communicator& arranged, int rank, int nth);

}  // namespace mazurka::mpi

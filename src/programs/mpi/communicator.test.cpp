#include "programs/mpi/communicator.hpp"

#include <gtest/gtest.h>

namespace mazurka::mpi {
namespace {

Communicator grid(std::vector<int> dimensions, std::vector<int> periods) {
  Communicator made;
  made.arrangement = Arrangement::grid;
  made.dimensions = std::move(dimensions);
  made.periods = std::move(periods);
  int size = 1;
  for (const int one : made.dimensions) size *= one;
  for (int rank = 0; rank < size; ++rank) made.members.push_back(rank);
  return made;
}

TEST(Communicator, GroupsAreToldApart) {
  Communicator between;
  between.members = {4, 2, 7, 1, 0};
  between.first_group = 2;
  EXPECT_EQ(between.place_of(7), 2);
  EXPECT_EQ(between.place_of(9), -1);
  EXPECT_EQ(between.rank_at(1), 1);
  EXPECT_EQ(between.rank_at(4), 2);
  EXPECT_EQ(between.place_of_peer(0, 2), 4);
  EXPECT_EQ(between.place_of_peer(3, 1), 1);
  EXPECT_EQ(between.place_of_peer(0, outside), outside);
  EXPECT_EQ(between.group_of(3), (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(between.partners_of(3), (std::vector<int>{0, 1}));
  EXPECT_EQ(between.members_at(between.group_of(0)), (std::vector<int>{4, 2}));
}

TEST(Communicator, OfOneGroupIsItsOwnPartner) {
  const Communicator one = grid({3}, {0});
  EXPECT_EQ(one.partners_of(1), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(one.place_of_peer(1, 2), 2);
  EXPECT_EQ(one.rank_at(2), 2);
}

TEST(Neighbours, OfAGridMayBeOutside) {
  EXPECT_EQ(neighbours_of(grid({3}, {0}), 0).sources, (std::vector<int>{outside, 1}));
  EXPECT_EQ(neighbours_of(grid({2, 3}, {0, 1}), 3).sources, (std::vector<int>{0, outside, 5, 4}));
  EXPECT_EQ(edge_to(grid({3}, {0}), 0, 0), Edge{});
}

// Both neighbours are the same rank: what it sends behind comes from before.
TEST(Neighbours, OfARingOfTwo) {
  EXPECT_EQ(edge_to(grid({2}, {1}), 0, 0), (Edge{1, 1}));
  EXPECT_EQ(edge_to(grid({2}, {1}), 0, 1), (Edge{1, 0}));
}

TEST(Neighbours, EdgesBetweenTheSameKeepTheirOrder) {
  Communicator graph;
  graph.arrangement = Arrangement::distributed;
  graph.members = {0, 1};
  graph.graph.resize(2);
  graph.graph[0].destinations = {1, 0, 1};
  graph.graph[0].sources = {0};
  graph.graph[1].sources = {0, 0};
  EXPECT_EQ(edge_to(graph, 1, 0), (Edge{0, 0}));
  EXPECT_EQ(edge_to(graph, 1, 1), (Edge{0, 2}));
  EXPECT_EQ(edge_to(graph, 0, 0), (Edge{0, 1}));
}

TEST(Neighbours, AnEdgeThatTheSourceDoesNotKnow) {
  Communicator graph;
  graph.arrangement = Arrangement::distributed;
  graph.members = {0, 1};
  graph.graph.resize(2);
  graph.graph[1].sources = {0};
  EXPECT_EQ(edge_to(graph, 1, 0).part, -1);
}

}  // namespace
}  // namespace mazurka::mpi

// The stateful exploration of a network, under one variant.
//
// Idea. A node is a state and a sleep set: the actions that need not be taken from there because
// what begins with them is found elsewhere. A node is expanded by the actions of a source set that
// are awake, in some order, each falling asleep for those that come after it. A successor for which
// a node with the same state and a smaller sleep set exists is only an edge to it; one from which
// nothing new can come (a first-set test says so) is skipped.
//
// Source. Herbreteau, Larroze-Jardine, Point, Walukiewicz, "Revisiting stateful partial-order
// reduction", listing 6; docs/stateful.md says where the variants differ from it and why.
//
// Cost. Nodes, states, sleep sets and parents are numbers in flat arrays. Nothing is allocated per
// successor once warm.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/network.hpp"
#include "explorers/stateful/exact.hpp"
#include "explorers/stateful/frontier.hpp"
#include "explorers/stateful/graph.hpp"
#include "explorers/stateful/system.hpp"
#include "explorers/stateful/variant.hpp"

namespace mazurka::stateful {

struct Counts;
struct Result;

struct Settings {
  Variant variant;
  Exploration exploration = Exploration::depth_first;  // any other: of variants that allow it
  std::uint64_t max_nodes = 0;                         // 0: no limit
  std::uint64_t max_work = 0;   // 0: no limit; counts what is looked at, so it is deterministic
  std::uint64_t max_depth = 0;  // 0: no limit; nodes further from the initial one are not expanded
  bool stop_at_finding = true;
  bool record = false;  // keep the graph: for paths, drawings, certificates
  unsigned threads = 1;
  std::chrono::steady_clock::time_point alone_until;  // one thread is enough until then
  const StatePredicate* predicate = nullptr;
  std::function<bool(const Counts& so_far)> interrupted;  // asked now and then
  std::function<void(const Result& so_far)> found;        // told of a deadlock, of the predicate
};

enum class End : std::uint8_t { complete, finding, max_nodes, max_work, interrupted };

struct Counts {
  std::uint64_t nodes = 0;
  std::uint64_t states = 0;  // different states among the nodes
  std::uint64_t edges = 0;
  std::uint64_t subsumed = 0;
  std::uint64_t skipped = 0;    // successors that a first-set test rejected
  std::uint64_t terminal = 0;   // states in which nothing is enabled ...
  std::uint64_t deadlocks = 0;  // ... and some client is not at its end
  std::uint64_t asleep = 0;     // nodes in which everything to be taken is asleep
  std::uint64_t cut = 0;        // nodes at max_depth from which something could be taken
  std::uint64_t first_set_tests = 0;
  std::uint64_t source_sets = 0;
  std::uint64_t work = 0;  // what max_work limits
  unsigned threads = 1;    // that had a part in it
  std::size_t bytes = 0;   // of states, index and nodes, at the end
  double seconds = 0;
  double cpu_seconds = 0;
  double first_set_seconds = 0;  // parts of `seconds`
  double source_set_seconds = 0;
};

struct Result {
  End end = End::complete;
  Counts counts;
  std::optional<std::vector<ActionId>> deadlock;  // the network's actions, from the initial state
  std::optional<std::vector<ActionId>> reached;   // to the predicate
  Graph graph;                                    // where it was recorded
};

/// Explores; `system` must be made from a network that validate() accepts. With several threads the
/// verdicts are those of one; so are nodes and states where nodes have no sleep sets. A limit on
/// the depth of a search with reductions is for one thread.
[[nodiscard]] Result search(const System& system, const Settings& settings);

}  // namespace mazurka::stateful

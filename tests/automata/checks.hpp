// Everything that must hold of a network, against brute force.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/network.hpp"

namespace mazurka::automata_test {

struct CheckLimits {
  std::size_t max_states = 400;
  std::size_t max_traces = 300;
  std::uint64_t max_executions = 3'000;  // for the stateless techniques
  bool stateless = true;
  std::vector<unsigned> threads = {};  // by so many the stateful searches are done once more, each
};

struct Verdicts {
  std::string wrong;       // empty: all is well
  bool too_large = false;  // nothing was checked
  std::uint64_t graphs = 0;
  std::uint64_t stateless_runs = 0;
  std::uint64_t reordered = 0;  // graphs whose nodes were expanded in another order than in depth
  std::uint64_t reordered_differ = 0;  // of these: with another number of nodes
};

/// Every variant in two orders, and in other orders of nodes: the certificate, the set of maximal
/// traces, the deadlocks, a predicate; by several threads the same, and the same counts. Every
/// stateless technique: the set of maximal traces. The file written and read.
[[nodiscard]] Verdicts check_network(const Network& network, std::uint64_t seed,
                                     const CheckLimits& limits = {});

/// Takes transitions away as long as something stays wrong.
[[nodiscard]] Network shrunk(Network network,
                             const std::function<bool(const Network&)>& still_wrong);

}  // namespace mazurka::automata_test

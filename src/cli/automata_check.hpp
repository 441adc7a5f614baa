// One check of a network of automata, from the file to the outcome.
#pragma once

#include <cstdint>
#include <string>

#include "core/outcome.hpp"
#include "core/session.hpp"
#include "explorers/stateful/search.hpp"

namespace mazurka::cli {

struct AutomataRequest {
  std::string file;
  std::string technique = "stateful";
  std::string variant = "auto";
  std::string order = "declared";
  std::uint64_t seed = 0;
  std::string reach;  // a predicate to look for; empty: none
  bool allow_deadlock = false;
  bool certify = false;
  bool paths = false;
  std::string dot;  // where to draw the explored graph; empty: nowhere
  std::uint64_t max_nodes = 0;
  Limits limits;
};

struct AutomataOutcome {
  Outcome outcome;
  bool stateful = false;
  stateful::Counts counts;  // and the rest, where the technique was stateful
  std::string variant;
  std::string order;
  std::uint64_t nodes_in_vain = 0;
  std::string certificate;
  std::string maximal_paths;
  std::string full_runs;
};

/// Throws for what is wrong with the input.
[[nodiscard]] AutomataOutcome check_automata(const AutomataRequest& request);

}  // namespace mazurka::cli

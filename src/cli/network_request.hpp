// What is asked of a network of automata, or of a Promela model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/session.hpp"

namespace mazurka::cli {

/// The variant that only Promela models have.
inline constexpr std::string_view local_first = "local-first";

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
  bool tree = false;  // keep the tree of a stateless search, for the report
  std::string dot;    // where to draw the explored graph; empty: nowhere
  std::uint64_t max_nodes = 0;
  std::uint64_t max_depth = 0;   // of a stateful search; 0: no limit
  std::uint64_t max_memory = 0;  // bytes; 0: no limit
  std::uint32_t jobs = 1;        // threads of a stateful search; 0: all cores, if it takes a while
  Limits limits;
};

}  // namespace mazurka::cli

// The models of the literature on stateful reduction, of any size.
//
// Each is written down so that the published numbers of nodes come out where they could be
// reproduced (docs/stateful.md has the table): client by client in program order, lock servers
// with two states, variables with one state per value, one action per test.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/network.hpp"

namespace mazurka::automata {

struct Model {
  std::string_view name;
  std::string_view summary;
  int smallest = 1;
  int largest = 1;
  Network (*make)(int size);
};

/// All models that have a size, in alphabetical order.
[[nodiscard]] std::span<const Model> models();
[[nodiscard]] const Model* find_model(std::string_view name);

/// Random multi-locks: every client takes `per_client` different ones of `locks` locks, then
/// releases them in the same order.
[[nodiscard]] Network multi_locks(int clients, int per_client, int locks, std::uint64_t seed);

}  // namespace mazurka::automata

// All execution graphs of a small program that a memory model allows, by brute force.
//
// Events are added one by one in every order, a read with every write that it may read, a write at
// every place in the order of its variable; what the axioms forbid is dropped. The axioms are
// written down as in the papers, with matrices of bits. Shares no code with the checker.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "memory/program.hpp"

namespace mazurka::memory {

enum class Model : std::uint8_t { sc, tso, rc11, ra };

struct Graphs {
  /// As the C program reports them, and how many graphs have each of them.
  std::map<std::string, std::size_t> outcomes;
  std::size_t complete = 0;  // graphs in which every thread has ended
  std::size_t assumed = 0;   // ... and in which an assumption has ended one
  std::size_t blocked = 0;   // graphs in which all that have not ended wait for each other
};

[[nodiscard]] Graphs all_graphs(const Program& program, Model model, int weak_failures = 0);

}  // namespace mazurka::memory

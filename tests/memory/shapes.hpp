// The classic small programs about memory models, with every placement of orders and fences.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/program.hpp"

namespace mazurka::memory {

struct Shape {
  const char* name;
  /// "Wx1 Ry | Wy1 Rx": a thread between bars; A: an addition; L, U: lock, unlock; T, G: take, give
  /// a token.
  const char* accesses;
};

[[nodiscard]] const std::vector<Shape>& shapes();

/// How many placements there are: each access has three orders, and between two of a thread there
/// is no fence, one that releases and acquires, or a sequentially consistent one.
[[nodiscard]] std::uint64_t placements(const Shape& shape);
[[nodiscard]] Program placed(const Shape& shape, std::uint64_t number);

}  // namespace mazurka::memory

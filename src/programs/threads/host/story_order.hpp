// Which events of an execution order others of other processes, as data races see it: what is
// published by an unlock, a post or a releasing write is known to whoever takes it over. And who
// woke whom, which orders nothing by itself.
//
// Of what the runtime knows this is a part (fences are left out), so two events that are not
// ordered here may be ordered; two that are, are.
#pragma once

#include <cstddef>
#include <vector>

#include "host/protocol.hpp"

namespace mazurka::threads {

enum class EdgeKind : std::uint8_t { orders, wakes };

/// From one raw event to a later one of another process.
struct OrderEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  EdgeKind kind = EdgeKind::orders;
  friend bool operator==(const OrderEdge&, const OrderEdge&) = default;
};

/// In the order of what they lead to.
[[nodiscard]] std::vector<OrderEdge> order_of(const std::vector<RawEvent>& events);

}  // namespace mazurka::threads

// Which events of an execution order others of other processes, as data races see it: what is
// published by an unlock, a post or a releasing write is known to whoever takes it over. And who
// woke whom, which orders nothing by itself.
//
// Of what the runtime knows this is a part (under sequential consistency fences are left out), so
// two events that are not ordered here may be ordered; two that are, are.
#pragma once

#include <cstddef>
#include <vector>

#include "host/protocol.hpp"

namespace mazurka::threads {
using namespace host;

enum class EdgeKind : std::uint8_t { orders, wakes };

/// From one raw event to a later one of another process.
struct OrderEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  EdgeKind kind = EdgeKind::orders;
  friend bool operator==(const OrderEdge&, const OrderEdge&) = default;
};

struct EventOrder {
  std::vector<OrderEdge> edges;  // in the order of what they lead to
  /// By event that writes to an atomic variable under weak memory: the events, itself or fences or
  /// those that it continues, after which whoever acquires the value comes.
  std::vector<std::vector<std::size_t>> released;
};
[[nodiscard]] EventOrder event_order_of(const std::vector<RawEvent>& events);

/// Its edges.
[[nodiscard]] std::vector<OrderEdge> order_of(const std::vector<RawEvent>& events);

}  // namespace mazurka::threads

// Why an operation under weak memory need not see a write that came before it: what is missing for
// that write to happen before it.
//
// From the write to the operation there may be a way along what processes do one after the other,
// what is synchronised, and values that were read from others without being synchronised: each of
// the last is a missing edge, and one of its ends says why. Or there is no such way: then only the
// order of sequentially consistent operations could have kept the operation from it.
#pragma once

#include <cstddef>
#include <vector>

#include "programs/threads/host/story_order.hpp"

namespace mazurka::threads {

/// A value that was read and does not synchronise. One of the two is the reason, or both are.
struct MissingEdge {
  std::size_t write = 0;
  std::size_t read = 0;
  bool not_released = false;
  bool not_acquired = false;
  friend bool operator==(const MissingEdge&, const MissingEdge&) = default;
};

class MissingOrder {
 public:
  explicit MissingOrder(const std::vector<RawEvent>& events);

  /// On the way from the one event to the other that misses the fewest, in its order; empty: there
  /// is no way.
  [[nodiscard]] std::vector<MissingEdge> between(std::size_t from, std::size_t to) const;

 private:
  struct Way {
    std::size_t missing = 0;  // edges, on the best way
    std::size_t before = 0;   // the event before, on it
    bool reads = false;       // by an edge that is missing
    bool reached = false;
  };
  [[nodiscard]] MissingEdge judge(std::size_t write, std::size_t read, std::size_t until,
                                  const std::vector<Way>& ways) const;

  const std::vector<RawEvent>& events_;
  EventOrder order_;
  std::vector<std::vector<std::size_t>> after_;  // what comes after an event, and directly
  std::vector<std::vector<std::size_t>> read_by_;
};

}  // namespace mazurka::threads

// The truth about a message model, by enumeration of its interleavings.
//
// Independent of what is shipped: mailboxes are queues that hold either sends or receives, a mutex
// is a queue of its requesters, and so on, as the papers have it; the search, the dependence and
// the identity of traces are its own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "messages/model.hpp"

namespace mazurka::messages {

struct Truth {
  struct Ending {
    std::string state;
    bool deadlock = false;
  };
  std::map<std::string, Ending> traces;
  std::set<std::string> failures;  // failed assertions, and "deadlock"
  std::uint64_t interleavings = 0;
  bool inconsistent = false;  // two interleavings of one trace ended differently
};

struct Move {
  std::size_t actor = 0;
  std::uint16_t choice = 0;
};

/// Nothing if there are more than `most` interleavings.
[[nodiscard]] std::optional<Truth> enumerate_interleavings(const Model& model, std::uint64_t most);

/// How many interleavings there are, without their traces.
[[nodiscard]] double count_interleavings(const Model& model);

/// The name of the trace that the moves are an interleaving of; nothing if one cannot be made.
struct Performed {
  std::string trace;
  std::string state;
  bool maximal = false;
};
[[nodiscard]] std::optional<Performed> perform(const Model& model, const std::vector<Move>& moves);

}  // namespace mazurka::messages

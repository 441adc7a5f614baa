// Which shard of a table that threads share a state is in, and numbers for what is in the shards.
//
// A state's hash says in which shard it is. Each shard has a lock of its own; there are so many
// that two threads seldom want the same one. What is n-th in a shard has one number among all: a
// NodeId.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <stdexcept>

#include "explorers/stateful/graph.hpp"

namespace mazurka::stateful {

class Sharding {
 public:
  explicit Sharding(unsigned threads)
      : bits_(std::clamp(static_cast<unsigned>(std::bit_width(threads * shards_per_thread - 1)), 4U,
                         10U)) {}

  [[nodiscard]] std::size_t shards() const { return std::size_t{1} << bits_; }
  /// By bits that the table in the shard does not look at.
  [[nodiscard]] std::size_t shard_of(Word hash) const { return hash >> (64 - bits_); }

  [[nodiscard]] NodeId number(std::size_t shard, std::size_t at) const {
    if (at >= (std::size_t{no_node} >> bits_))
      throw std::length_error("more than 4294967295 nodes");
    return static_cast<NodeId>(at << bits_ | shard);
  }
  [[nodiscard]] std::size_t shard(NodeId number) const { return number & (shards() - 1); }
  [[nodiscard]] std::size_t at(NodeId number) const { return number >> bits_; }

 private:
  static constexpr unsigned shards_per_thread = 16;
  unsigned bits_;
};

}  // namespace mazurka::stateful

// The states of the brute force: plain values without padding, equal if their bytes are.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "mpi/reference/program.hpp"

namespace mazurka::mpi_reference {

/// A list whose unused places are all zero.
template <typename Value, std::size_t Room>
struct Row {
  std::array<Value, Room> values{};
  std::uint64_t count = 0;

  [[nodiscard]] const Value* begin() const { return values.data(); }
  [[nodiscard]] const Value* end() const { return values.data() + count; }
  [[nodiscard]] const Value& operator[](std::size_t at) const { return values[at]; }

  void insert(std::size_t at, const Value& value) {
    if (count == Room) throw std::length_error("too much at a time for the reference");
    std::copy_backward(values.begin() + at, values.begin() + count, values.begin() + count + 1);
    values[at] = value;
    ++count;
  }
  void erase(std::size_t at) {
    std::copy(values.begin() + at + 1, values.begin() + count, values.begin() + at);
    values[--count] = {};
  }
};

struct Message {
  std::int16_t value = 0;
  std::int16_t tag = 0;
  std::uint8_t source = 0;
  std::uint8_t destination = 0;
  std::uint8_t request = 0;  // of the sender
  std::uint8_t waits = 0;    // who_waits: whom the match is told
};

namespace who_waits {
inline constexpr std::uint8_t nobody = 0;
inline constexpr std::uint8_t request = 1;
inline constexpr std::uint8_t sendrecv = 2;  // the operation that the sender is in
}  // namespace who_waits

struct Receive {
  std::int16_t tag = 0;
  std::int8_t source = 0;
  std::uint8_t request = 0;
  std::uint8_t destination = 0;
  std::uint8_t unused = 0;
};

/// What a request can be.
namespace request_is {
inline constexpr std::uint16_t null = 0;
inline constexpr std::uint16_t pending = 1;
inline constexpr std::uint16_t sent = 2;
inline constexpr std::uint16_t cancelled = 3;
inline constexpr std::uint16_t released = 4;
inline constexpr std::uint16_t collective = 16;  // and more: the n-th
inline constexpr std::uint16_t received = 64;    // and more: the value
}  // namespace request_is

/// How far a rank is in the operation that it is at.
namespace stage {
inline constexpr std::uint8_t before = 0;
inline constexpr std::uint8_t inside = 1;
inline constexpr std::uint8_t send_matched = 2;  // and inside, of a sendrecv
}  // namespace stage

inline constexpr std::size_t max_collectives = 3;
inline constexpr std::size_t communicators = 2;
inline constexpr std::int32_t not_there = -1;

struct Rank {
  std::uint32_t log = 0;      // its number in Logs
  std::uint32_t choices = 0;  // a bit per operation: the standard send waits
  std::array<std::uint16_t, max_operations> requests{};
  Message held;  // kept by mprobe; no value: none
  std::int16_t probed_tag = any;
  std::int8_t probed_source = any;
  std::uint8_t at = 0;
  std::uint8_t stage = stage::before;
  std::array<std::uint8_t, communicators> arrived{};
  std::uint8_t unused = 0;
};

using Contributions = std::array<std::int32_t, max_ranks>;

inline constexpr std::size_t max_on_the_way = 16;

struct State {
  std::array<Rank, max_ranks> ranks{};
  Row<Message, max_on_the_way> messages;  // by source and destination, then by time
  Row<Receive, max_on_the_way> receives;  // by destination, then by time
  std::array<std::array<Contributions, max_collectives>, communicators> collectives{};

  friend bool operator==(const State& one, const State& other) {
    return std::memcmp(&one, &other, sizeof one) == 0;
  }
};
static_assert(std::has_unique_object_representations_v<State>);

struct StateHash {
  std::size_t operator()(const State& state) const {
    static_assert(sizeof(State) % sizeof(std::uint64_t) == 0);
    std::array<std::uint64_t, sizeof(State) / sizeof(std::uint64_t)> words;
    std::memcpy(words.data(), &state, sizeof state);
    // Two chains, which a processor follows at the same time.
    std::array<std::uint64_t, 2> hash{};
    static_assert(words.size() % hash.size() == 0);
    for (std::size_t at = 0; at < words.size(); at += hash.size()) {
      for (std::size_t chain = 0; chain < hash.size(); ++chain) {
        hash[chain] = (hash[chain] ^ words[at + chain]) * 0x9e37'79b9'7f4a'7c15U;
        hash[chain] ^= hash[chain] >> 32U;
      }
    }
    return hash[0] ^ (hash[1] << 1U);
  }
};

[[nodiscard]] inline bool fits(const Receive& receive, const Message& message) {
  const int any_tag = message.tag >= first_other_tag ? any_other : any;
  return receive.destination == message.destination &&
         (receive.source == any || receive.source == message.source) &&
         (receive.tag == any_tag || receive.tag == message.tag);
}

}  // namespace mazurka::mpi_reference

// What was written to an atomic variable, and who may still read which of it.
//
// The values stand in the order of modification, the first one in front; every process agrees on
// that order. A process may read any value that it does not know to be overwritten: not one before
// a value that an operation before this one, in the happens-before of the language, has written or
// read. A value that is written goes anywhere behind those, but never between the value that a
// read-modify-write has read and the one that it has written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/list.hpp"
#include "core/reused_list.hpp"
#include "native/memory_model/clocks.hpp"

namespace mazurka::threads {
using namespace native;

/// Up to 16 bytes of a variable.
struct Words16 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  [[nodiscard]] static Words16 at(const void* from, std::size_t size) {
    MAZURKA_CHECK(size <= sizeof(Words16), "16 bytes of a variable have room");
    Words16 words;
    std::memcpy(&words, from, size);
    return words;
  }
  friend bool operator==(const Words16&, const Words16&) = default;
};

class History {
 public:
  static constexpr std::uint32_t none = 0xffff'ffff;

  /// A value that was written.
  struct Message {
    Words16 value;
    ProcessId process = no_process;    // who wrote it; nobody: by no atomic operation
    std::uint32_t step = 0;            // which of its steps that was (TracePast)
    std::uint32_t event = none;        // which event of the execution (GraphStep)
    std::uint32_t told = none;         // which event of the story (Recorder)
    std::uint32_t writer = none;       // which event of the graph (AccessGraph), ...
    std::uint32_t last_reader = none;  // ... and the latest that has read it and did not write
    std::uint32_t position = 0;        // in the order of modification
    bool updates = false;              // written by who read the value before it
    VectorClock released;              // what those learn who acquire it
    friend bool operator==(const Message&, const Message&) = default;
  };

  /// Of how many bytes the variable is; 0 as long as nothing is known of it.
  [[nodiscard]] std::size_t size() const { return size_; }
  void begin(std::size_t size) {
    MAZURKA_CHECK(messages_.empty() && size > 0, "a history begins once, of a variable with bytes");
    size_ = size;
  }

  /// Nothing is known of what memory holds: it is freed, and another variable may come to be there,
  /// or a plain access writes to it.
  void end() { ended_ = true; }
  [[nodiscard]] bool has_ended() const { return messages_.empty() || ended_; }
  /// Whether memory, which holds this value, holds what was written last.
  [[nodiscard]] bool is_up_to_date(Words16 value) const {
    return !messages_.empty() && !ended_ && at(last()).value == value;
  }
  /// Memory holds a value that no atomic operation has written. Whoever did was alone, or there is
  /// a data race: nothing from before can be read any more.
  void write_plainly(Words16 value, const VectorClock& released) {
    Message fresh;
    fresh.value = value;
    fresh.released.assign(released);
    fresh.position = static_cast<std::uint32_t>(order_.size());
    order_.push_back(static_cast<std::uint32_t>(messages_.size()));
    messages_.push_back(fresh);
    floor_ = order_.size() - 1;
    ended_ = false;
  }

  [[nodiscard]] std::size_t last() const { return order_.size() - 1; }
  [[nodiscard]] const Message& at(std::size_t position) const {
    MAZURKA_CHECK(position < order_.size(), "a value is asked for by its position in the order");
    return messages_[order_[position]];
  }
  [[nodiscard]] std::uint32_t number_at(std::size_t position) const { return order_[position]; }
  [[nodiscard]] const Message& message(std::uint32_t number) const { return messages_[number]; }
  [[nodiscard]] Message& message(std::uint32_t number) { return messages_[number]; }
  /// The one that was written last, wherever it went.
  [[nodiscard]] const Message& latest() const { return messages_.back(); }
  [[nodiscard]] std::uint32_t latest_number() const {
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  [[nodiscard]] std::size_t position_of(std::uint32_t number) const {
    return messages_[number].position;
  }

  /// Nothing in front of this position can be read by who knows so much.
  [[nodiscard]] std::size_t oldest_for(const VectorClock& knowledge) const {
    std::size_t oldest = floor_;
    for (const auto& [process, all] : seen_) {
      const std::uint32_t known = knowledge.sees(index(process));
      const auto unknown = std::partition_point(all.begin(), all.end(),
                                                [&](const Seen& one) { return one.tick <= known; });
      if (unknown != all.begin()) oldest = std::max(oldest, position_of(unknown[-1].message));
    }
    return oldest;
  }
  /// Whether the value behind this position was written by who read the one at it.
  [[nodiscard]] bool is_updated(std::size_t position) const {
    return position < last() && at(position + 1).updates;
  }

  /// Puts a new value behind this position; its number.
  std::uint32_t insert_behind(std::size_t position) {
    MAZURKA_CHECK(position >= floor_ && position < order_.size(),
                  "a value goes behind one that can still be read");
    MAZURKA_CHECK(messages_.size() == order_.size(), "each value has its position in the order");
    const auto number = static_cast<std::uint32_t>(messages_.size());
    messages_.add_blank();
    order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(position) + 1, number);
    for (std::size_t at = position + 1; at < order_.size(); ++at) {
      messages_[order_[at]].position = static_cast<std::uint32_t>(at);
    }
    return number;
  }
  /// Nothing in front of this position can be read by anybody.
  [[nodiscard]] std::size_t floor() const { return floor_; }
  /// The process has read or written it, in this tick of its clock. Who knows of that tick knows
  /// the last of what was seen in it, which is never in front of what was seen before.
  void mark(ProcessId process, std::uint32_t tick, std::uint32_t message) {
    List<Seen>& all = seen_by(process);
    MAZURKA_CHECK(message < messages_.size(), "a process has seen a value that there is");
    MAZURKA_CHECK(all.empty() || all.back().tick <= tick,
                  "what a process sees is marked in its order");
    if (!all.empty() && all.back().message == message) return;
    if (!all.empty() && all.back().tick == tick) {
      all.back().message = message;
    } else {
      all.push_back({tick, message});
    }
  }

  friend bool operator==(const History&, const History&) = default;

 private:
  struct Seen {
    std::uint32_t tick = 0;
    std::uint32_t message = 0;
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  struct SeenBy {
    ProcessId process = no_process;
    List<Seen> all;
    friend bool operator==(const SeenBy&, const SeenBy&) = default;
  };
  [[nodiscard]] List<Seen>& seen_by(ProcessId process) {
    for (std::size_t at = 0; at < seen_.size(); ++at) {
      if (seen_[at].process == process) return seen_[at].all;
    }
    SeenBy& fresh = seen_.add_blank();
    fresh.process = process;
    return fresh.all;
  }

  ReusedList<Message> messages_;  // as they were written
  List<std::uint32_t> order_;     // as they are modifications
  ReusedList<SeenBy> seen_;       // by the processes that were there
  std::size_t floor_ = 0;
  std::size_t size_ = 0;
  bool ended_ = false;
};

}  // namespace mazurka::threads

// What comes after a write where memory is sequentially consistent, or that of x86.
//
// SC: no circle of the order within a process, what is read, and the orders of modification. It is
// judged where graphs are explored; where interleavings are, nobody reads anything but the latest.
//
// TSO: no circle of what is kept in order within a process (all but a write and a later read of
// another variable, unless a fence, a read-modify-write or a sequentially consistent write is
// between), what is read from another process, and the orders of modification.
//
// Where graphs are explored, steps that touch no atomic variable (a lock) keep others in order,
// too.
//
// What was reached of a process are its last events, or (TSO) the writes among these. So all that
// is kept is where these begin, and an event is gone through once, however often it is reached.
#pragma once

#include <cstdint>
#include <vector>

#include "core/table.hpp"
#include "programs/threads/runtime/memory_model/access_graph.hpp"

namespace mazurka::threads {

class OrderSearch {
 public:
  using Histories = Table<ObjectId, History>;

  /// Nothing is reached yet. `delayed`: writes may be seen late (TSO).
  void begin(const AccessGraph& graph, const Histories& histories, bool delayed);
  /// Goes on from this event, too.
  void add(std::uint32_t event);
  /// Whether something that was reached comes before the next event of its process, this one.
  [[nodiscard]] bool leads_to(const GraphEvent& event) const;

 private:
  struct Reached {
    std::uint32_t writes = 0;        // from this event of the process on, those that write, ...
    std::uint32_t all = 0;           // ... and from here on all
    std::uint32_t synchronised = 0;  // from here on: those in other processes, too
  };
  void reach(const GraphEvent& event);
  void lower(std::size_t process, std::uint32_t writes, std::uint32_t all);
  void go_on_from(const GraphEvent& event);
  void reach_others(const GraphEvent& event);
  void reach_next_write(const GraphEvent& event, std::uint32_t message);
  [[nodiscard]] bool may_be_late(const GraphEvent& event) const {
    return delayed_ && event.writes && !event.reads && !event.strong;
  }

  const AccessGraph* graph_ = nullptr;
  const Histories* histories_ = nullptr;
  bool delayed_ = false;
  std::vector<Reached> reached_;  // per process
  std::vector<std::uint32_t> open_;
};

}  // namespace mazurka::threads

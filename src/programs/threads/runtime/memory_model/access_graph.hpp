// The atomic operations and fences of an execution as a graph, and whether a memory model allows
// what the latest of them has chosen.
//
// What a process knows to be overwritten it never chooses (history.hpp). Some models forbid more:
// circles that lead through several variables. An operation that reads the last value of a
// variable, or writes behind it, has no edge to any other, so it closes no circle: only the others
// are judged.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/list.hpp"
#include "core/table.hpp"
#include "host/protocol.hpp"
#include "programs/threads/runtime/memory_model/clocks.hpp"
#include "programs/threads/runtime/memory_model/history.hpp"

namespace mazurka::threads {

struct GraphEvent {
  ProcessId process{};
  std::uint32_t tick = 0;  // of its process's clock
  bool fence = false;      // touches no variable
  bool strong = false;     // sequentially consistent
  bool reads = false;
  bool writes = false;
  ObjectId object{};
  std::uint32_t source = History::none;   // the message that it reads
  std::uint32_t message = History::none;  // ... and the one that it writes
  VectorClock known;                      // with what it learns itself
  std::uint32_t step = 0;                 // which step of its process (TracePast) ...
  VectorClock follows;                    // ... and what that comes after, if graphs are explored
  std::uint32_t barriers = 0;             // Process::barriers
  friend bool operator==(const GraphEvent&, const GraphEvent&) = default;
};

struct AccessGraph {
  List<GraphEvent> events;
  std::size_t strong = 0;  // of these
  friend bool operator==(const AccessGraph&, const AccessGraph&) = default;

  void add(GraphEvent event) {
    if (event.strong) ++strong;
    events.push_back(std::move(event));
  }
  void take_back() {
    if (events.back().strong) --strong;
    events.pop_back();
  }
};

/// Judges a graph that was allowed before its latest event.
class GraphJudge {
 public:
  [[nodiscard]] bool allows(MemoryModel model, const AccessGraph& graph,
                            const Table<ObjectId, History>& histories);

 private:
  void lay_out(const AccessGraph& graph, const Table<ObjectId, History>& histories);
  [[nodiscard]] bool happens_before(std::size_t one, std::size_t other) const;
  [[nodiscard]] bool same_place(std::size_t one, std::size_t other) const;
  [[nodiscard]] bool is_written_before(std::size_t one, std::size_t other) const;
  [[nodiscard]] bool is_read_before(std::size_t one, std::size_t other) const;
  [[nodiscard]] bool communicates(std::size_t one, std::size_t other) const;
  [[nodiscard]] bool is_kept_in_order(std::size_t one, std::size_t other) const;
  [[nodiscard]] bool comes_before(std::size_t one, std::size_t other, MemoryModel model) const;
  [[nodiscard]] bool reaches_itself(MemoryModel model) const;
  [[nodiscard]] bool strong_before(std::size_t one, std::size_t other) const;
  void add_strong_edges(std::size_t from);
  [[nodiscard]] bool strong_ones_are_in_a_circle() const;

  struct Place {  // of an event in the order of modification of its variable
    std::size_t reads = 0;
    std::size_t writes = 0;
    std::size_t next_elsewhere = 0;      // of its process: the next event that is not there, ...
    std::size_t previous_elsewhere = 0;  // ... and the previous; the number of events if none
  };
  const List<GraphEvent>* events_ = nullptr;
  std::vector<Place> places_;
  std::vector<std::size_t> strong_;       // events
  std::vector<std::vector<char>> edges_;  // between these
};

}  // namespace mazurka::threads

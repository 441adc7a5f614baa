// The atomic operations and fences of an execution as a graph.
//
// All that a judge asks of it (graph_judge.hpp) is found by halving: the events of a process that
// know of another event, or have passed a barrier, are its last ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/list.hpp"
#include "core/reused_list.hpp"
#include "core/table.hpp"
#include "native/memory_model/clocks.hpp"
#include "programs/threads/runtime/memory_model/history.hpp"

namespace mazurka::threads {
using namespace native;

struct GraphEvent {
  ProcessId process{};
  std::uint32_t tick = 0;  // of its process's clock
  bool fence = false;      // touches no variable: a fence, if it is strong; else whatever else
  bool strong = false;     // sequentially consistent
  bool reads = false;
  bool writes = false;
  ObjectId object{};
  std::uint32_t source = History::none;   // the message that it reads
  std::uint32_t message = History::none;  // ... and the one that it writes
  VectorClock known;                      // with what it learns itself
  std::uint32_t step = 0;                 // which step of its process (TracePast) ...
  VectorClock follows;                    // ... and what that comes after, if graphs are explored
  /// The barriers that its process has passed: when it is made Process::barriers; in the graph also
  /// fences (TSO), its read-modify-writes and strong writes, this one included.
  std::uint32_t barriers = 0;
  // What it becomes in the graph:
  std::uint32_t nth = 0;        // of its process
  std::uint32_t run = 0;        // how often its process went from one variable to another before
  std::uint32_t run_begin = 0;  // the first of its process since then
  std::uint32_t previous_reader = History::none;  // an event that reads the same, and only reads
  std::uint32_t next_in_order = History::none;  // a fence that a lock of the system puts behind it

  /// In TSO: what is written before it is seen before anything after it is read.
  [[nodiscard]] bool is_barrier() const { return writes && (reads || strong); }
  [[nodiscard]] bool is_at(const GraphEvent& other) const {
    return !fence && !other.fence && object == other.object;
  }
  friend bool operator==(const GraphEvent&, const GraphEvent&) = default;
};

class AccessGraph {
 public:
  static constexpr std::uint32_t none = History::none;
  using Numbers = List<std::uint32_t>;

  /// Events of one process, by their places in it.
  struct OfProcess {
    Numbers events;
    Numbers strong;         // places of those that are
    Numbers strong_fences;  // ... and of these
    std::uint32_t barriers = 0;
    friend bool operator==(const OfProcess&, const OfProcess&) = default;
  };
  /// Of one process at one variable.
  struct Places {
    Numbers touched;  // of its events there, ...
    Numbers strong;   // ... and of the strong ones
    friend bool operator==(const Places&, const Places&) = default;
  };
  /// Of one variable.
  struct OfObject {
    ReusedList<Places> places;  // of the processes that were there: few, of many
    Numbers last;               // per process: which of them are its own, the number of those up to
                                // it; 0: it was not there
    friend bool operator==(const OfObject&, const OfObject&) = default;
  };

  [[nodiscard]] const GraphEvent& operator[](std::uint32_t event) const { return events_[event]; }
  [[nodiscard]] const GraphEvent& at(std::size_t process, std::uint32_t place) const {
    MAZURKA_CHECK(process < processes_.size() && place < count(process),
                  "an event is asked for by its place in its process");
    return events_[processes_[process].events[place]];
  }
  [[nodiscard]] std::size_t processes() const { return processes_.size(); }
  [[nodiscard]] const OfProcess& of(std::size_t process) const { return processes_[process]; }
  [[nodiscard]] std::uint32_t count(std::size_t process) const {
    return static_cast<std::uint32_t>(processes_[process].events.size());
  }
  [[nodiscard]] bool has_strong() const { return has_strong_; }
  [[nodiscard]] bool has_strong_fences() const { return has_strong_fences_; }

  /// The first of a row of places that is not before this one; none if there is none.
  [[nodiscard]] static std::uint32_t first_from(const Numbers& places, std::uint32_t place) {
    const auto found = std::lower_bound(places.begin(), places.end(), place);
    return found == places.end() ? none : *found;
  }
  /// Where the process first knows of that tick of the other one; the number of its events if
  /// nowhere.
  [[nodiscard]] std::uint32_t first_to_know(std::size_t process, std::size_t other,
                                            std::uint32_t tick) const {
    return first_where(process,
                       [&](const GraphEvent& event) { return event.known[other] >= tick; });
  }
  /// The first event of the process for which something holds that holds for all later ones, too.
  template <typename Holds>
  [[nodiscard]] std::uint32_t first_where(std::size_t process, const Holds& holds) const {
    const Numbers& all = processes_[process].events;
    if (all.empty() || !holds(events_[all.back()])) return count(process);
    const auto found = std::partition_point(
        all.begin(), all.end(), [&](std::uint32_t event) { return !holds(events_[event]); });
    return static_cast<std::uint32_t>(found - all.begin());
  }
  /// The next event of the process that is not at the same variable; the number of its events if
  /// there is none.
  [[nodiscard]] std::uint32_t next_elsewhere(const GraphEvent& event) const {
    return first_where(index(event.process),
                       [&](const GraphEvent& other) { return other.run > event.run; });
  }
  /// The places of events at this variable, by process; null: nobody was there.
  [[nodiscard]] const OfObject* at(ObjectId object) const { return objects_.find(object); }
  /// The first of the process's places there, of that kind, that is not before this one; none if
  /// there is none.
  [[nodiscard]] static std::uint32_t first_of(const OfObject& object, std::size_t process,
                                              Numbers Places::*kind, std::uint32_t place) {
    if (process >= object.last.size() || object.last[process] == 0) return none;
    return first_from(object.places[object.last[process] - 1].*kind, place);
  }

  /// The latest event of all. If it touches a variable, that is its history, in which it has read
  /// and written already. `by_object`: the model asks who is at which variable.
  void add(const GraphEvent& event, History* history, bool by_object);

  /// In TSO: the process has passed a fence, which is no event there.
  void pass_barrier(ProcessId process) {
    processes_.grow(index(process) + 1);
    ++processes_[index(process)].barriers;
  }

  /// The latest event is a fence of this process, and comes behind the others that were put in the
  /// order of this lock.
  void put_in_order(ProcessId process, ObjectId lock);

  /// The process has done something else with others, or does so now: it comes from there to its
  /// next variable. That is a fence that is not strong. `known`: all that it knows by now.
  void go_elsewhere(ProcessId process, std::uint32_t tick, const VectorClock& known);
  /// ... and this is what it knows after that.
  void come_from_elsewhere(ProcessId process, std::uint32_t tick, const VectorClock& known);

  friend bool operator==(const AccessGraph&, const AccessGraph&) = default;

 private:
  [[nodiscard]] bool is_elsewhere(ProcessId process) const;
  void put_into_process(GraphEvent& event);
  void put_into_object(const GraphEvent& event);

  ReusedList<GraphEvent> events_;
  ReusedList<OfProcess> processes_;
  Table<ObjectId, OfObject> objects_;        // only if there are strong events
  Table<ObjectId, std::uint32_t> in_order_;  // the latest fence in the order of a lock
  bool has_strong_ = false;
  bool has_strong_fences_ = false;
};

}  // namespace mazurka::threads

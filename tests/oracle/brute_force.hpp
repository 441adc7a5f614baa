// The truth about a model, by enumeration of its interleavings.
//
// Independent of everything under test: its own search, its own notion of which steps are
// dependent, its own identity of traces. Two interleavings are the same trace if they order all
// dependent steps alike; a trace is named by its lexicographically smallest interleaving.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "oracle/model.hpp"

namespace mazurka::oracle {

struct Move {
  std::size_t process = 0;
  std::uint16_t choice = 0;
};

/// One interleaving, taken step by step, with the dependences among its steps.
class Interleaving {
 public:
  explicit Interleaving(const Model& model) : model_(model), state_(initial_state(model)) {}

  void take(Move move);
  /// Undoes the latest step, given the state before it.
  void take_back(const State& before);

  [[nodiscard]] const State& state() const { return state_; }
  /// Names the trace, and shows its smallest interleaving: a character per step.
  [[nodiscard]] std::string trace() const;
  /// Names the trace up to the order of writes that nobody observes: a write to a variable counts
  /// as observed if a later step reads it before it is overwritten, or if some step waits for a
  /// value of that variable.
  [[nodiscard]] std::string observed_trace() const;
  /// Which assertions failed.
  [[nodiscard]] std::set<std::string> failures() const;
  [[nodiscard]] bool maximal() const;

 private:
  struct Occurrence {
    Move move;
    ModelStep step;
    std::uint8_t position = 0;
    std::uint32_t released = 0;
    bool failed = false;
    bool only_looked = false;
    std::uint64_t predecessors = 0;  // a bit per earlier step that is dependent with it
  };
  static bool dependent(const Occurrence& one, const Occurrence& other);
  [[nodiscard]] std::uint64_t awaited_variables() const;
  /// The variables that the steps both write without reading, and whose later value is observed.
  [[nodiscard]] bool writes_are_observed(std::size_t one, std::size_t other,
                                         std::uint64_t awaited) const;

  const Model& model_;
  State state_;
  std::vector<Occurrence> steps_;
};

struct Truth {
  struct Ending {
    std::string state;
    bool deadlock = false;
    std::string observed_trace;
    std::string observable;  // what is left of the state if nobody looks at the variables
  };
  std::map<std::string, Ending> traces;
  std::set<std::string> failures;  // failed assertions, and "deadlock"
  std::uint64_t interleavings = 0;
  /// Two interleavings of one trace that ended differently: the model's dependence is wrong.
  bool inconsistent = false;
};

/// What the processes know and where they are, without what is left in shared objects.
[[nodiscard]] std::string observable_part(const State& state);

/// Where the program may end that one of its processes ends.
enum class Ends : std::uint8_t { last, anywhere };

/// Nothing if there are more than `most` interleavings.
[[nodiscard]] std::optional<Truth> enumerate_interleavings(const Model& model, std::uint64_t most,
                                                           Ends ends = Ends::last);

}  // namespace mazurka::oracle

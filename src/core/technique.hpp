// A technique as a row of a table (explorers/table.cpp): its name, what it is for, what it
// promises, how to make it. Whoever treats techniques differently asks for such a property, never
// for a name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/explorer.hpp"

namespace mazurka {

/// A switch that a technique has.
struct TechniqueOption {
  std::string_view name;
  std::string_view help;   // one line
  bool number = false;     // stands for any number from 1 on; `name` is its placeholder
  bool alone = false;      // cannot be combined with the others
  bool costs = false;      // only changes what the search costs, and not every front-end has it
  bool may_sleep = false;  // executions may end asleep though the technique itself has none
};

/// The switches that are on: `--technique source-context:cut,guide`.
class TechniqueOptions {
 public:
  TechniqueOptions() = default;
  explicit TechniqueOptions(std::vector<std::string> names) : names_(std::move(names)) {}

  [[nodiscard]] bool has(std::string_view name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  }
  [[nodiscard]] std::span<const std::string> names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

/// How much of a program a technique promises to see.
enum class Coverage : std::uint8_t { everything, up_to_a_bound, a_sample };

/// What a program must have for it.
enum class Needs : std::uint8_t {
  nothing,
  states,       // that can be compared
  messages,     // each step is the delivery of one (Steps::one)
  persistence,  // what can be done can be done until it is
  graphs,       // atomic operations are events of one (GraphStep)
  a_network,    // of automata: its states are stored, it is not run
};

/// What the tests hold a technique to, besides that every failure is found.
struct Promises {
  enum class Seen : std::uint8_t {
    traces,           // every trace
    final_states,     // every state in which the program can end
    observed_traces,  // every trace, up to the order of writes that nobody observes
    observed_states,  // the final states as the processes see them
  };
  Seen seen = Seen::traces;
  bool each_trace_once = false;
  bool never_asleep = false;
  bool every_interleaving = false;
};

/// What the number of its executions can be estimated by (explorers/size_probe.hpp).
enum class Size : std::uint8_t { unknown, traces, interleavings, bounded_interleavings };

struct Technique {
  std::string_view name;
  std::string_view summary;  // one line, for `mazurka techniques`
  std::unique_ptr<Explorer> (*create)(const TechniqueOptions&) = nullptr;
  std::span<const TechniqueOption> options = {};
  Needs needs = Needs::nothing;
  Coverage coverage = Coverage::everything;
  Promises promises = {};
  Size size = Size::unknown;
  bool resumable = false;          // Explorer::resumable()
  bool divisible = false;          // keep_part(): what is left has parts, that name no objects
  bool takes_preemptions = false;  // Limits::preemptions means something to it
  bool weak_memory = false;        // knows what it means that a read has several outcomes
  std::string_view why_strong =    // ... and if not: what it does
      "compares what it can only compare in a sequentially consistent memory";
  bool does_without_sleep = false;                      // if Limits::sleep_sets is off
  std::string_view programs = "every kind of program";  // what it is for
  std::string_view source = "";                         // the paper; empty: common knowledge

  [[nodiscard]] std::unique_ptr<Explorer> make(const TechniqueOptions& chosen = {}) const {
    return create(chosen);
  }
  [[nodiscard]] bool is_sample() const { return coverage == Coverage::a_sample; }
  /// Whether one of its switches is a number.
  [[nodiscard]] bool takes_a_number() const {
    return std::any_of(options.begin(), options.end(),
                       [](const TechniqueOption& option) { return option.number; });
  }
};

}  // namespace mazurka

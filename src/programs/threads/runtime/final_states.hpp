// The states in which the executions of a search end: what the variables hold that several
// processes use.
//
// A variable is a place in memory, of the size in which it is accessed. All executions decide
// together which ones are shown, so that their states can be compared: one that has a single user
// in this execution may have two in another. What an execution leaves behind in memory is followed
// from access to access; a write that is older than what is there (weak memory, execution graphs)
// changes nothing. Where an execution never came to a variable, it holds what another one found
// there when it came to it first.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/protocol.hpp"

namespace mazurka::threads {
using namespace host;

/// Memory as far as accesses have told what it holds.
class ToldMemory {
 public:
  /// Eight bytes, with a bit for each in the masks.
  struct Word {
    std::uint64_t value = 0;
    std::uint8_t known = 0;
    std::uint8_t lost = 0;  // written, and nobody has told what
    friend bool operator==(const Word&, const Word&) = default;
  };
  using Words = std::unordered_map<std::uint64_t, Word>;  // by address / 8

  void put(std::uint64_t address, std::uint8_t byte);
  void lose(std::uint64_t address);
  [[nodiscard]] bool has(std::uint64_t address) const;  // known or lost
  [[nodiscard]] Word word(std::uint64_t at) const;
  [[nodiscard]] const Words& words() const { return words_; }

 private:
  Words words_;
};

class FinalStates {
 public:
  /// What happened in an execution that ends in this node.
  void add(std::uint32_t node, const std::vector<RawEvent>& events);
  void write_to(RawTree& tree) const;

 private:
  using Place = std::pair<std::uint64_t, std::uint8_t>;  // address, size
  struct Variable {
    bool shared = false;
    bool written = false;
    RawEvent event;        // one of its accesses
    bool at_home = false;  // ... by the process on whose stack it lies
  };
  struct End {
    std::uint32_t node = 0;
    ToldMemory::Words changed;  // what is not as at the first end
  };
  enum class Told : std::uint8_t { value, nothing, unchanged };
  struct Value {
    Told told = Told::unchanged;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    friend auto operator<=>(const Value&, const Value&) = default;
  };

  void note_use(const RawEvent& event);
  void follow(const RawEvent& event, ToldMemory& memory);
  [[nodiscard]] Value value_at(const End& end, const Place& place) const;
  [[nodiscard]] ToldMemory::Word word_at(const End& end, std::uint64_t at) const;
  /// Those that are shown, with what they hold at each end.
  struct Column {
    const Variable* variable = nullptr;
    std::vector<Value> values;
  };
  [[nodiscard]] std::vector<Column> columns() const;

  std::map<Place, Variable> variables_;
  std::map<Place, ProcessId> users_;  // the first of each, in the execution that is being added
  ToldMemory initial_;                // what was found by whoever came first
  ToldMemory base_;                   // at the first end
  std::vector<End> ends_;
};

}  // namespace mazurka::threads

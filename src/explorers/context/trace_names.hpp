// Names for traces: equivalent sequences of steps have the same.
//
// A step is known by what it is and by the steps that happen before it in the sequence, a trace by
// its steps. What happens before a step is a vector clock; to work it out, the earlier steps that
// it depends on are not searched for but joined by the reason why it depends on them (the process,
// an object in a certain mode, ...), so that the time is in proportion to the sequence's length.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

class TraceNames {
 public:
  explicit TraceNames(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  [[nodiscard]] Fingerprint name(const StepList& sequence);

 private:
  static constexpr std::uint32_t none = no_event;
  using Row = std::uint32_t;  // number of a clock

  struct Process {
    std::uint32_t steps = 0;
    Row latest = none;    // of its latest step
    Row released = none;  // of those that released it, joined
    Row awaited = none;   // of those that waited for its end
  };
  struct Mode {
    std::uint8_t kind = 0;
    std::uint8_t mode = 0;
    std::uint32_t next = none;  // another one of the same object
    Row row = none;             // of those that accessed the object in this mode
  };
  struct Object {
    std::uint64_t sequence = 0;  // the rest is of this one
    std::uint32_t modes = none;
  };

  void start(const StepList& sequence);
  [[nodiscard]] Row fresh_row();
  /// Joins the first to the second, either of which may be none yet.
  void join(Row from, Row& into);
  void find_past(const Step& step, Row row);
  void note(const Step& step, Row row);
  [[nodiscard]] Fingerprint name(const Step& step, Row row) const;
  Object& object(ObjectId which);

  const Vocabulary& vocabulary_;
  std::uint64_t sequence_ = 0;  // how many there were
  std::size_t stride_ = 0;
  std::vector<std::uint32_t> clocks_;
  std::vector<Process> processes_;
  std::vector<Object> objects_;
  std::vector<Mode> modes_;
  Row exits_ = none;
};

}  // namespace mazurka

#include "explorers/context/trace_names.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka {

Fingerprint TraceNames::name(const StepList& sequence) {
  start(sequence);
  Fingerprint trace;
  for (std::size_t at = 0; at < sequence.size(); ++at) {
    const Step step = sequence[at];
    const Row row = fresh_row();
    find_past(step, row);
    trace ^= name(step, row);
    note(step, row);
  }
  return trace;
}

void TraceNames::start(const StepList& sequence) {
  ++sequence_;
  stride_ = 0;
  const auto count = [&](ProcessId process) {
    if (process != no_process) stride_ = std::max(stride_, std::size_t{index(process)} + 1);
  };
  for (std::size_t at = 0; at < sequence.size(); ++at) {
    const Step step = sequence[at];
    count(step.process());
    count(step.awaited);
    for (const ProcessId other : step.released) count(other);
  }
  clocks_.clear();
  modes_.clear();
  processes_.assign(stride_, {});
  exits_ = none;
}

TraceNames::Row TraceNames::fresh_row() {
  MAZURKA_CHECK(stride_ > 0 && clocks_.size() % stride_ == 0, "a row is one clock");
  const auto fresh = static_cast<Row>(clocks_.size() / stride_);
  clocks_.resize(clocks_.size() + stride_, 0);
  return fresh;
}

void TraceNames::join(Row from, Row& into) {
  if (from == none) return;
  if (into == none) into = fresh_row();
  const std::uint32_t* const other = clocks_.data() + from * stride_;
  std::uint32_t* const row = clocks_.data() + into * stride_;
  for (std::size_t at = 0; at < stride_; ++at) row[at] = std::max(row[at], other[at]);
}

TraceNames::Object& TraceNames::object(ObjectId which) {
  if (objects_.size() <= index(which)) objects_.resize(index(which) + std::size_t{1});
  Object& found = objects_[index(which)];
  if (found.sequence != sequence_) found = {sequence_, none};
  return found;
}

void TraceNames::find_past(const Step& step, Row row) {
  const Process& own = processes_[index(step.process())];
  join(own.latest, row);
  join(own.released, row);
  join(own.awaited, row);
  join(exits_, row);
  if (step.awaited != no_process) join(processes_[index(step.awaited)].latest, row);
  for (const ProcessId other : step.released) join(processes_[index(other)].latest, row);
  if (step.exits) {
    for (const Process& process : processes_) join(process.latest, row);
  }
  for (const Access& access : step.accesses) {
    for (std::uint32_t at = object(access.object).modes; at != none; at = modes_[at].next) {
      if (vocabulary_.related(modes_[at].kind, modes_[at].mode, access.mode)) {
        join(modes_[at].row, row);
      }
    }
  }
}

// The step's own place in its process goes into the clock, for those that come after it.
void TraceNames::note(const Step& step, Row row) {
  Process& own = processes_[index(step.process())];
  clocks_[row * stride_ + index(step.process())] = ++own.steps;
  own.latest = row;
  for (const ProcessId other : step.released) join(row, processes_[index(other)].released);
  if (step.awaited != no_process) join(row, processes_[index(step.awaited)].awaited);
  if (step.exits) join(row, exits_);
  for (const Access& access : step.accesses) {
    Object& touched = object(access.object);
    std::uint32_t at = touched.modes;
    while (at != none && (modes_[at].kind != access.kind || modes_[at].mode != access.mode)) {
      at = modes_[at].next;
    }
    if (at == none) {
      at = static_cast<std::uint32_t>(modes_.size());
      modes_.push_back({access.kind, access.mode, touched.modes, none});
      touched.modes = at;
    }
    join(row, modes_[at].row);
  }
}

Fingerprint TraceNames::name(const Step& step, Row row) const {
  Fingerprint name = fingerprint_of(index(step.process()), step.decision.choice);
  const auto extend = [&](std::uint64_t number) {
    name = fingerprint_of(name.low, number) ^ fingerprint_of(number, name.high);
  };
  extend(step.accesses.size());  // so that what follows them is not taken for more of them
  for (const Access& access : step.accesses) {
    extend((std::uint64_t{index(access.object)} << 32) | (std::uint64_t{access.operand} << 16) |
           (std::uint64_t{access.kind} << 8) | access.mode);
  }
  for (std::size_t other = 0; other < stride_; ++other) {
    const std::uint32_t known = clocks_[row * stride_ + other];
    if (known != 0) extend((std::uint64_t{other} << 32) | known);
  }
  return name;
}

}  // namespace mazurka

#include "oracle/printed_events.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace mazurka::oracle::printed {

namespace {

constexpr std::size_t first_mutex = most_objects;
constexpr std::size_t first_end = first_mutex + most_objects;
constexpr std::size_t first_register = first_end + most_processes;
constexpr std::size_t first_outcome = first_register + most_processes;

constexpr Objects bit(std::size_t number) { return Objects{1} << number; }

Event footprint(const ModelStep& step, Footprints footprints, const State& before,
                std::size_t process) {
  const Objects x = bit(step.x);
  const Objects y = bit(step.y);
  const Objects local = bit(first_register + process);
  const Objects mutex = bit(first_mutex + step.x);
  switch (step.op) {
    case Op::read:
    case Op::read_branch: return {process, x, local};
    case Op::write: return {process, 0, x};
    case Op::write_sum: return {process, local, x};
    case Op::add: return {process, x, x};
    case Op::check: return {process, x, bit(first_outcome + process)};
    case Op::swap: return {process, x | y, x | y};
    case Op::copy: return {process, x, y};
    case Op::conditional:
      if (footprints == Footprints::possible) return {process, x | y, y};
      return {process, x, before.variables[step.x] == step.c ? y : 0};
    case Op::lock:
    case Op::unlock: return {process, mutex, mutex};
    case Op::try_lock: return {process, mutex, mutex | local};
    case Op::await: return {process, x, 0};
    case Op::join: return {process, bit(first_end + step.x), 0};
    default: throw std::invalid_argument("no step of the papers: " + to_string(step));
  }
}

std::uint8_t value(const State& state, std::size_t object) {
  if (object < first_mutex) return state.variables[object];
  if (object < first_end) return state.owners[object - first_mutex];
  if (object >= first_outcome) {
    return state.statuses[object - first_outcome] == Status::failed ? 1 : 0;
  }
  if (object >= first_register) return state.registers[object - first_register];
  return 0;  // an end, which is the same in whichever way it came about
}

}  // namespace

Event perform(const Model& model, Footprints footprints, State& state, std::size_t process) {
  Event event = footprint(next_step(model, state, process), footprints, state, process);
  oracle::perform(model, state, process, 0);
  if (state.statuses[process] != Status::running) event.writes |= bit(first_end + process);
  return event;
}

std::optional<Path> follow(const Model& model, Footprints footprints, State state,
                           const Processes& sequence) {
  Path path;
  for (const std::size_t process : sequence) {
    if (!enabled(model, state, process)) return std::nullopt;
    path.events.push_back(perform(model, footprints, state, process));
  }
  path.end = state;
  return path;
}

bool equal_on(const State& one, const State& other, Objects objects) {
  for (std::size_t object = 0; object < 64; ++object) {
    if ((objects & bit(object)) != 0 && value(one, object) != value(other, object)) return false;
  }
  return true;
}

bool read_write(const Event& one, const Event& other) {
  return (one.writes & other.reads) != 0 || (one.reads & other.writes) != 0;
}

Order::Order(const std::vector<Event>& events, bool observers)
    : events_(events), observers_(observers), before_(events.size(), 0) {
  for (std::size_t at = 0; at < events.size(); ++at) {
    for (std::size_t earlier = 0; earlier < at; ++earlier) {
      const Event& one = events[earlier];
      const Event& other = events[at];
      const Objects both = one.writes & other.writes;
      if (one.process == other.process || read_write(one, other) ||
          (both != 0 && (!observers || !readers(at, both).empty()))) {
        before_[at] |= before_[earlier] | bit(earlier);
      }
    }
  }
}

Indices Order::readers(std::size_t write, Objects objects) const {
  Indices found;
  for (std::size_t at = write + 1; at < events_.size(); ++at) {
    if ((events_[at].reads & objects) != 0) found.push_back(at);
    objects &= ~events_[at].writes;
  }
  return found;
}

bool Order::race(std::size_t one, std::size_t other) const {
  if (events_[one].process == events_[other].process || !before(one, other)) return false;
  for (std::size_t between = one + 1; between < other; ++between) {
    if (before(one, between) && before(between, other)) return false;
  }
  return true;
}

Indices Order::observers(std::size_t one, std::size_t other) const {
  if (!observers_ || read_write(events_[one], events_[other])) return {};
  const Indices all = readers(other, events_[one].writes & events_[other].writes);
  Indices least;
  for (const std::size_t reader : all) {
    const auto precedes = [&](std::size_t earlier) { return before(earlier, reader); };
    if (std::none_of(all.begin(), all.end(), precedes)) least.push_back(reader);
  }
  return least;
}

}  // namespace mazurka::oracle::printed

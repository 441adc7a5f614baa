#include "programs/threads/runtime/memory_model/access_graph.hpp"

#include "core/check.hpp"

namespace mazurka::threads {

void AccessGraph::add(const GraphEvent& added, History* history, bool by_object) {
  MAZURKA_CHECK(history == nullptr || added.reads || added.writes,
                "an event at a variable does something");
  MAZURKA_CHECK((history == nullptr) == added.fence, "what is at no variable is a fence");
  const auto number = static_cast<std::uint32_t>(events_.size());
  GraphEvent& event = events_.push_back(added);
  has_strong_ = has_strong_ || event.strong;
  has_strong_fences_ = has_strong_fences_ || (event.strong && event.fence);
  put_into_process(event);
  if (history != nullptr) {
    if (event.writes) {
      history->message(event.message).writer = number;
    } else {
      event.previous_reader = std::exchange(history->message(event.source).last_reader, number);
    }
    if (by_object && has_strong_) put_into_object(event);
  }
}

void AccessGraph::put_into_process(GraphEvent& event) {
  const std::size_t process = index(event.process);
  processes_.grow(process + 1);
  OfProcess& own = processes_[process];
  if (event.is_barrier()) ++own.barriers;
  event.barriers += own.barriers;
  event.nth = static_cast<std::uint32_t>(own.events.size());
  if (event.nth > 0) {
    const GraphEvent& previous = events_[own.events.back()];
    MAZURKA_CHECK(previous.tick <= event.tick, "the ticks of a process grow");
    const bool stays = event.is_at(previous);
    event.run = previous.run + (stays ? 0 : 1);
    event.run_begin = stays ? previous.run_begin : event.nth;
  }
  if (event.strong) own.strong.push_back(event.nth);
  if (event.strong && event.fence) own.strong_fences.push_back(event.nth);
  own.events.push_back(static_cast<std::uint32_t>(events_.size() - 1));
}

void AccessGraph::put_into_object(const GraphEvent& event) {
  OfObject& object = objects_[event.object];
  const std::size_t process = index(event.process);
  if (object.last.size() <= process) object.last.resize(process + 1, 0);
  std::uint32_t& last = object.last[process];
  if (last == 0) {
    object.places.add_blank();
    last = static_cast<std::uint32_t>(object.places.size());
  }
  Places& places = object.places[last - 1];
  MAZURKA_CHECK(places.touched.empty() || places.touched.back() < event.nth,
                "the events of a process at a variable are in order");
  places.touched.push_back(event.nth);
  if (event.strong) places.strong.push_back(event.nth);
}

void AccessGraph::put_in_order(ProcessId process, ObjectId lock) {
  const auto number = static_cast<std::uint32_t>(events_.size() - 1);
  if (events_.empty() || events_[number].process != process || !events_[number].strong) return;
  if (const std::uint32_t* const previous = in_order_.find(lock)) {
    MAZURKA_CHECK(*previous < number, "fences come into the order of a lock as they are passed");
    events_[*previous].next_in_order = number;
  }
  in_order_[lock] = number;
}

bool AccessGraph::is_elsewhere(ProcessId process) const {
  if (index(process) >= processes_.size() || count(index(process)) == 0) return false;
  const GraphEvent& latest = at(index(process), count(index(process)) - 1);
  return latest.fence && !latest.strong;
}

void AccessGraph::go_elsewhere(ProcessId process, std::uint32_t tick, const VectorClock& known) {
  if (is_elsewhere(process)) return;
  GraphEvent event;
  event.process = process;
  event.tick = tick;
  event.fence = true;
  event.known.assign(known);
  add(event, nullptr, false);
}

void AccessGraph::come_from_elsewhere(ProcessId process, std::uint32_t tick,
                                      const VectorClock& known) {
  const std::size_t number = index(process);
  if (number >= processes_.size() || count(number) == 0) go_elsewhere(process, tick, known);
  if (is_elsewhere(process)) events_[processes_[number].events.back()].known.assign(known);
}

}  // namespace mazurka::threads

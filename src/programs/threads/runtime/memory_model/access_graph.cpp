#include "programs/threads/runtime/memory_model/access_graph.hpp"

namespace mazurka::threads {

void AccessGraph::add(GraphEvent event, History* history, bool by_object) {
  const auto number = static_cast<std::uint32_t>(events_.size());
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
  events_.push_back(std::move(event));
}

void AccessGraph::put_into_process(GraphEvent& event) {
  const std::size_t process = index(event.process);
  if (processes_.size() <= process) processes_.resize(process + 1);
  OfProcess& own = processes_[process];
  if (event.is_barrier()) ++own.barriers;
  event.barriers += own.barriers;
  event.nth = static_cast<std::uint32_t>(own.events.size());
  if (event.nth > 0) {
    const GraphEvent& previous = events_[own.events.back()];
    const bool stays = event.is_at(previous);
    event.run = previous.run + (stays ? 0 : 1);
    event.run_begin = stays ? previous.run_begin : event.nth;
  }
  if (event.strong) own.strong.push_back(event.nth);
  if (event.strong && event.fence) own.strong_fences.push_back(event.nth);
  own.events.push_back(static_cast<std::uint32_t>(events_.size()));
}

void AccessGraph::put_into_object(const GraphEvent& event) {
  const auto put = [&](List<Numbers>& by_process) {
    const std::size_t process = index(event.process);
    if (by_process.size() <= process) by_process.resize(process + 1);
    by_process[process].push_back(event.nth);
  };
  OfObject& object = objects_[event.object];
  put(object.touched);
  if (event.strong) put(object.strong);
}

}  // namespace mazurka::threads

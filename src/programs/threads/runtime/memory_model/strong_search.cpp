#include "programs/threads/runtime/memory_model/strong_search.hpp"

#include <utility>

#include "core/check.hpp"

namespace mazurka::threads {

void StrongSearch::begin(const AccessGraph& graph, const Histories& histories) {
  graph_ = &graph;
  histories_ = &histories;
  processes_.resize(graph.processes());
  for (std::size_t process = 0; process < processes_.size(); ++process) {
    processes_[process] = {graph.count(process), graph.count(process)};
  }
  objects_.clear();
}

void StrongSearch::add_writes(ObjectId object, std::size_t position) {
  lower_written(object, position);
  go_on();
}

void StrongSearch::add_reads(ObjectId object, std::size_t position) {
  lower_read(object, position);
  go_on();
}

void StrongSearch::lower_written(ObjectId object, std::size_t position) {
  MAZURKA_CHECK(histories_->find(object) != nullptr, "a variable of the graph has a history");
  const History& history = *histories_->find(object);
  OfObject& reached = objects_[object];
  const std::size_t end = std::min(reached.written, history.last() + 1);
  if (position >= end) return;
  reached.written = position;
  for (std::size_t at = position; at < end; ++at) {
    const std::uint32_t writer = history.at(at).writer;
    if (writer == AccessGraph::none) continue;
    const GraphEvent& event = (*graph_)[writer];
    if (event.strong) reach(index(event.process), event.nth);
    reach_fences_after(event);
  }
}

void StrongSearch::lower_read(ObjectId object, std::size_t position) {
  const History& history = *histories_->find(object);
  OfObject& reached = objects_[object];
  const std::size_t end = std::min(reached.read, history.last() + 1);
  if (position >= end) return;
  reached.read = position;
  for (std::size_t at = position; at < end; ++at) {
    for (std::uint32_t reader = history.at(at).last_reader; reader != AccessGraph::none;
         reader = (*graph_)[reader].previous_reader) {
      reach_fences_after((*graph_)[reader]);
    }
  }
}

void StrongSearch::reach(std::size_t process, std::uint32_t place) {
  const AccessGraph::OfProcess& own = graph_->of(process);
  std::uint32_t& reached = processes_[process].strong;
  if (place >= reached) return;
  auto one = std::lower_bound(own.strong.begin(), own.strong.end(), place);
  for (; one != own.strong.end() && *one < reached; ++one) open_.push_back(own.events[*one]);
  reached = place;
}

// Where in the process the first is that happens after the event.
std::uint32_t StrongSearch::first_after(std::size_t process, const GraphEvent& event) const {
  if (process == index(event.process)) return event.nth + 1;
  return graph_->first_to_know(process, index(event.process), event.tick);
}

void StrongSearch::reach_fences_after(const GraphEvent& event) {
  if (!graph_->has_strong_fences()) return;
  for (std::size_t process = 0; process < processes_.size(); ++process) {
    const AccessGraph::Numbers& fences = graph_->of(process).strong_fences;
    if (fences.empty() || processes_[process].strong <= fences.front()) continue;
    const std::uint32_t fence = AccessGraph::first_from(fences, first_after(process, event));
    if (fence != AccessGraph::none) reach(process, fence);
  }
}

void StrongSearch::go_on() {
  while (!open_.empty()) {
    const std::uint32_t next = open_.back();
    open_.pop_back();
    go_on_from((*graph_)[next]);
  }
}

void StrongSearch::go_on_from(const GraphEvent& strong) {
  if (strong.fence) {
    if (strong.next_in_order != AccessGraph::none) {
      const GraphEvent& next = (*graph_)[strong.next_in_order];
      reach(index(next.process), next.nth);
    }
    for (std::size_t process = 0; process < processes_.size(); ++process) {
      go_on_after_fence(process, first_after(process, strong));
    }
    return;
  }
  go_on_behind(strong);
  const std::size_t own = index(strong.process);
  if (strong.nth + 1 < graph_->count(own)) reach_fences_after(graph_->at(own, strong.nth + 1));
  for (std::size_t process = 0; process < processes_.size(); ++process) {
    if (process != own) go_on_in(process, strong);
  }
}

// Those that write behind what it has read or written.
void StrongSearch::go_on_behind(const GraphEvent& access) {
  const std::uint32_t message = access.writes ? access.message : access.source;
  MAZURKA_CHECK(message != History::none, "an access has read or written a value");
  const History& history = *histories_->find(access.object);
  lower_written(access.object, history.position_of(message) + 1);
}

// All events of the process from this place on happen after a fence that was reached.
void StrongSearch::go_on_after_fence(std::size_t process, std::uint32_t place) {
  std::uint32_t& reached = processes_[process].after_fences;
  const std::uint32_t end = reached;
  if (place >= end) return;
  reached = place;
  const std::uint32_t strong = AccessGraph::first_from(graph_->of(process).strong, place);
  if (strong != AccessGraph::none) reach(process, strong);
  for (std::uint32_t at = place; at < end; ++at) {
    const GraphEvent& event = graph_->at(process, at);
    if (event.fence) continue;
    go_on_behind(event);
    const History& history = *histories_->find(event.object);
    lower_read(event.object, event.writes ? history.position_of(event.message)
                                          : history.position_of(event.source) + 1);
  }
}

// What the strong event leads to in another process by happens-before.
void StrongSearch::go_on_in(std::size_t process, const GraphEvent& strong) {
  const std::uint32_t end = graph_->count(process);
  const std::uint32_t first = first_after(process, strong);
  if (first >= end) return;
  MAZURKA_CHECK(strong.strong && !strong.fence && graph_->at(strong.object) != nullptr,
                "who was at a variable is known once there are strong events");
  const AccessGraph::OfObject& object = *graph_->at(strong.object);
  const std::uint32_t there =
      AccessGraph::first_of(object, process, &AccessGraph::Places::strong, first);
  if (there != AccessGraph::none) reach(process, there);
  const std::uint32_t touches =
      AccessGraph::first_of(object, process, &AccessGraph::Places::touched, first);
  if (touches != AccessGraph::none) reach_fences_after(graph_->at(process, touches));
  const std::uint32_t leaves = graph_->next_elsewhere(strong);
  if (leaves >= graph_->count(index(strong.process))) return;
  const std::uint32_t comes = first_after(process, graph_->at(index(strong.process), leaves));
  if (comes >= end) return;
  const std::uint32_t behind = graph_->next_elsewhere(graph_->at(process, comes));
  const std::uint32_t next = AccessGraph::first_from(graph_->of(process).strong, behind);
  if (next != AccessGraph::none) reach(process, next);
}

bool StrongSearch::leads_to_fence_before(const GraphEvent& event) const {
  for (std::size_t process = 0; process < processes_.size(); ++process) {
    const std::uint32_t fence =
        AccessGraph::first_from(graph_->of(process).strong_fences, processes_[process].strong);
    if (fence == AccessGraph::none) continue;
    if (process == index(event.process)) return true;
    if (graph_->at(process, fence).tick <= event.known[process]) return true;
  }
  return false;
}

bool StrongSearch::leads_to(const GraphEvent& event) const {
  for (std::size_t process = 0; process < processes_.size(); ++process) {
    if (processes_[process].strong >= graph_->count(process)) continue;
    if (process == index(event.process) || comes_before(process, event)) return true;
  }
  return false;
}

// Whether something that was reached in another process must come before the event.
bool StrongSearch::comes_before(std::size_t process, const GraphEvent& event) const {
  const std::uint32_t reached = processes_[process].strong;
  if (const AccessGraph::OfObject* object = graph_->at(event.object)) {
    const std::uint32_t there =
        AccessGraph::first_of(*object, process, &AccessGraph::Places::strong, reached);
    if (there != AccessGraph::none && graph_->at(process, there).tick <= event.known[process]) {
      return true;
    }
  }
  const std::size_t own = index(event.process);
  if (own >= graph_->processes() || graph_->count(own) == 0) return false;
  const GraphEvent& previous = graph_->at(own, graph_->count(own) - 1);
  if (event.is_at(previous) && previous.run_begin == 0) return false;
  const GraphEvent& comes =
      event.is_at(previous) ? graph_->at(own, previous.run_begin - 1) : previous;
  const std::uint32_t leaves = graph_->next_elsewhere(graph_->at(process, reached));
  return leaves < graph_->count(process) &&
         graph_->at(process, leaves).tick <= comes.known[process];
}

}  // namespace mazurka::threads
